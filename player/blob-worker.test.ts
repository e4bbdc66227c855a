import { expect, it } from "vitest";
import { blobWorker } from "./blob-worker.ts";

it("keeps the worker's code, quotes and all, and leaves the rest of Vite's module out", () => {
  const code = `const jsContent = ${JSON.stringify('post("a \\ b");\n')};`;
  const module = blobWorker(`${code}\nexport default function WorkerWrapper() { "data:text/javascript," }`);
  expect(module.startsWith(code)).toBe(true);
  expect(module).not.toContain("data:");
});

it("refuses a module of another form", () => {
  expect(() => blobWorker("export default 1;")).toThrow("player/blob-worker.ts");
});
