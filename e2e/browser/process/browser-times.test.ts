import { expect, test } from "vitest";
import { BrowserTimesSampler, sumThreads } from "./browser-times.ts";

const RENDERER = "chromium --type=renderer --lang=en";
const NETWORK = "chromium --type=utility --utility-sub-type=network.mojom.NetworkService";

test("threads are told apart by process and name", () => {
  const threads = [
    { command: RENDERER, isMain: true, name: "chromium", seconds: 1 },
    { command: RENDERER, isMain: false, name: "DedicatedWorker", seconds: 2 },
    { command: RENDERER, isMain: false, name: "Compositor", seconds: 4 },
    { command: NETWORK, isMain: true, name: "chromium", seconds: 8 },
    { command: NETWORK, isMain: false, name: "Chrome_ChildIOT", seconds: 16 },
    { command: "chromium --headless", isMain: true, name: "chromium", seconds: 32 },
  ];
  expect(sumThreads(threads, 7)).toEqual({
    atMs: 7,
    mainSeconds: 1,
    workerSeconds: 2,
    networkSeconds: 24,
    browserSeconds: 63,
  });
});

test("of a browser that is not there nothing is read", async () => {
  const sampler = new BrowserTimesSampler();
  sampler.start(2 ** 30);
  expect(await sampler.stop()).toEqual([]);
  expect(await new BrowserTimesSampler().stop()).toEqual([]);
});
