import { folderUrl } from "./folder-url.ts";

/** Where learned schemes find what they need; URLs, absolute or of the page. */
export interface PolicySource {
  /** The folder with `NAME.json` and `NAME.onnx`. */
  readonly folder: string | URL;
  /** The module `onnxruntime-web/wasm`, as a file. */
  readonly runtime: string | URL;
  /** Its `ort-wasm-simd-threaded.wasm`. */
  readonly wasm: string | URL;
  /** A scheme's policy; the one of the scheme's own name by default. */
  readonly nameOf?: ((scheme: string) => string) | undefined;
}

/** One policy's files; absolute URLs, since a worker made of a blob knows no other. */
export interface PolicyFiles {
  readonly name: string;
  readonly cardUrl: string;
  readonly modelUrl: string;
  readonly runtimeUrl: string;
  readonly wasmUrl: string;
}

/** null where there is no source. Names no file that must exist: most schemes have no policy. */
export function policyFilesOf(
  source: PolicySource | null,
  scheme: string,
  baseUrl: string,
): PolicyFiles | null {
  if (source === null) {
    return null;
  }
  const name = source.nameOf?.(scheme) ?? scheme;
  const folder = folderUrl(source.folder, baseUrl);
  return {
    name,
    cardUrl: new URL(`${encodeURIComponent(name)}.json`, folder).href,
    modelUrl: new URL(`${encodeURIComponent(name)}.onnx`, folder).href,
    runtimeUrl: new URL(source.runtime, baseUrl).href,
    wasmUrl: new URL(source.wasm, baseUrl).href,
  };
}
