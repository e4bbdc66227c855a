import wasm from "onnxruntime-web/ort-wasm-simd-threaded.wasm?url";
import runtime from "onnxruntime-web/wasm?url";
import type { ServerConfig } from "../../options/server-config.ts";
import type { PolicySource } from "../../session/policy/policy-files.ts";

/** The server's own: models below `/policies/`, and the runtime as the page's build has put it beside the page. */
export function policySource({ schemes }: Pick<ServerConfig, "schemes">): PolicySource {
  return {
    folder: "/policies/",
    runtime,
    wasm,
    nameOf: (scheme) => schemes.find(({ name }) => name === scheme)?.policy ?? scheme,
  };
}
