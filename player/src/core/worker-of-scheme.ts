import { createSessionWorker } from "../session/create-worker.ts";

/** What the core's own worker has. */
const OWN_SCHEME = "nuwa";
/** Longer than a slow link takes for some tens of kB; meanwhile segments come over HTTP. */
const FETCH_LIMIT_MS = 20_000;

/**
 * What starts the worker for a scheme. The one of all schemes is a second file, fetched when another than Nuwa is chosen:
 * by the page, since a worker made of a blob finds no file beside itself. Rejects where that file does not come.
 */
export async function workerOfScheme(scheme: string, importAll = importWorkerOfAll): Promise<() => Worker> {
  if (scheme === OWN_SCHEME) {
    return createSessionWorker;
  }
  const { createSessionWorker: createWorkerOfAll } = await inTime(scheme, importAll());
  return createWorkerOfAll;
}

const importWorkerOfAll = () => import("../session/inline-worker.ts");

/** An import takes no signal: the next one goes on where this one was left. */
async function inTime<T>(scheme: string, imported: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const sentence = `the code of the scheme ${scheme} did not come within ${FETCH_LIMIT_MS / 1000} s`;
    timer = setTimeout(() => reject(new Error(sentence)), FETCH_LIMIT_MS);
  });
  try {
    return await Promise.race([imported, late]);
  } finally {
    clearTimeout(timer);
  }
}
