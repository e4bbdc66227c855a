/** The worker as the page's own build has it; the packaged library puts inline-worker.ts in this file's place. */
export function createSessionWorker(): Worker {
  return new Worker(new URL("./worker/main.ts", import.meta.url), { type: "module", name: "receiver" });
}
