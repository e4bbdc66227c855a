import NuwaWorker from "./nuwa-worker-main.ts?worker&inline";

/** The core's own worker, which has Nuwa alone; `workerOfScheme` says when it is right. */
export function createSessionWorker(): Worker {
  return new NuwaWorker({ name: "receiver" });
}
