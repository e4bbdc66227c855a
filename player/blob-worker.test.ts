import { expect, it, vi } from "vitest";
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

it("makes one blob for all workers, also for those that the page's policy refuses", () => {
  const [createObjectURL, Worker] = [vi.fn(() => "blob:worker"), vi.fn()];
  const module = blobWorker('const jsContent = "post(1);";').replace("export default", "return");
  const start = new Function("URL", "Blob", "Worker", module)({ createObjectURL }, Blob, Worker) as new (
    options: object,
  ) => unknown;
  new start({ name: "one" });
  new start({ name: "two" });
  expect(createObjectURL).toHaveBeenCalledOnce();
  expect(Worker).toHaveBeenLastCalledWith("blob:worker", { type: "module", name: "two" });
});
