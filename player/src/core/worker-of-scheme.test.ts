import { afterEach, expect, it, vi } from "vitest";
import { createSessionWorker } from "../session/create-worker.ts";
import { createSessionWorker as createWorkerOfAll } from "../session/inline-worker.ts";
import { workerOfScheme } from "./worker-of-scheme.ts";

vi.mock("../session/inline-worker.ts", () => ({ createSessionWorker: vi.fn() }));

afterEach(() => vi.useRealTimers());

it.each([
  ["nuwa", createSessionWorker],
  ["nuwa-rl", createWorkerOfAll],
  ["kuafu", createWorkerOfAll],
  ["cubic", createWorkerOfAll],
])("starts a worker that has %s", async (scheme, createWorker) => {
  expect(await workerOfScheme(scheme)).toBe(createWorker);
});

it("says so where the file of the other schemes does not come", async () => {
  vi.useFakeTimers();
  const neverCome = () => new Promise<never>(() => undefined);
  const failed = expect(workerOfScheme("kuafu", neverCome)).rejects.toThrow(
    "the code of the scheme kuafu did not come within 20 s",
  );
  await vi.advanceTimersByTimeAsync(20_000);
  await failed;
});
