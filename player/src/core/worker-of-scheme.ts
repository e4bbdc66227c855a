import { createSessionWorker } from "../session/create-worker.ts";

/** What the core's own worker has. */
const OWN_SCHEME = "nuwa";

/**
 * What starts the worker for a scheme. The one of all schemes is a second file, fetched when another than Nuwa is chosen:
 * by the page, since a worker made of a blob finds no file beside itself.
 */
export async function workerOfScheme(scheme: string): Promise<() => Worker> {
  if (scheme === OWN_SCHEME) {
    return createSessionWorker;
  }
  const { createSessionWorker: createWorkerOfAll } = await import("../library/inline-worker.ts");
  return createWorkerOfAll;
}
