import { expect, it, vi } from "vitest";
import { createSessionWorker as createWorkerOfAll } from "../library/inline-worker.ts";
import { createSessionWorker } from "../session/create-worker.ts";
import { workerOfScheme } from "./worker-of-scheme.ts";

vi.mock("../library/inline-worker.ts", () => ({ createSessionWorker: vi.fn() }));

it.each([
  ["nuwa", createSessionWorker],
  ["nuwa-rl", createWorkerOfAll],
  ["kuafu", createWorkerOfAll],
  ["cubic", createWorkerOfAll],
])("starts a worker that has %s", async (scheme, createWorker) => {
  expect(await workerOfScheme(scheme)).toBe(createWorker);
});
