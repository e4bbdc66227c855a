import { expect, test } from "vitest";
import { policyFilesOf } from "./policy-files.ts";

const PAGE = "https://film.example/watch/index.html";
const source = { folder: "/policies", runtime: "/assets/ort-1.mjs", wasm: "../ort.wasm" };

test("a policy's files are known by absolute addresses", () => {
  expect(policyFilesOf(source, "nuwa-rl", PAGE)).toEqual({
    name: "nuwa-rl",
    cardUrl: "https://film.example/policies/nuwa-rl.json",
    modelUrl: "https://film.example/policies/nuwa-rl.onnx",
    runtimeUrl: "https://film.example/assets/ort-1.mjs",
    wasmUrl: "https://film.example/ort.wasm",
  });
});

test("their source may be told by URL objects", () => {
  const { folder, runtime, wasm } = source;
  const objects = {
    folder: new URL(folder, PAGE),
    runtime: new URL(runtime, PAGE),
    wasm: new URL(wasm, PAGE),
  };
  expect(policyFilesOf(objects, "nuwa-rl", PAGE)).toEqual(policyFilesOf(source, "nuwa-rl", PAGE));
});

test("a scheme's policy may have another name", () => {
  const files = policyFilesOf({ ...source, nameOf: (scheme) => `${scheme}-2` }, "nuwa-rl", PAGE);
  expect(files).toMatchObject({ name: "nuwa-rl-2", cardUrl: "https://film.example/policies/nuwa-rl-2.json" });
});

test("without a source there are none", () => {
  expect(policyFilesOf(null, "nuwa-rl", PAGE)).toBeNull();
});
