import type { CommonMediaRequest, CommonMediaResponse } from "./dashjs-internals.ts";
import { loadByXhr } from "./xhr-load.ts";

/** A segment that is asked for over HTTP, once. */
export interface HttpAttempt {
  /** Whether anybody did; never settles where the signal was aborted before. */
  readonly didAnswer: Promise<boolean>;
  /** Ends it: nobody answered. */
  readonly giveUp: () => void;
}

/** @param onBytes the total is null while unknown */
export function attemptOverHttp(
  request: CommonMediaRequest,
  response: CommonMediaResponse,
  signal: AbortSignal,
  onBytes: (loaded: number, total: number | null) => void,
): HttpAttempt {
  let end: () => void = () => undefined;
  const didAnswer = new Promise<boolean>((resolve) => {
    end = () => {
      signal.removeEventListener("abort", abort);
      resolve(response.status !== 0);
    };
  });
  // The limit is ours: it is not to be dash.js's while nobody answers.
  const abort = loadByXhr({ ...request, timeout: 0 }, response, {
    // The head is the trace that dash.js leaves out of its sample, which is then the body's bytes over the body's time.
    onHead: (totalBytes) => onBytes(0, totalBytes),
    onProgress: (event) => onBytes(event.loaded, event.lengthComputable ? event.total : null),
    onTimeout: () => undefined,
    onAbort: () => undefined,
    onEnd: () => end(),
  });
  signal.addEventListener("abort", abort);
  const giveUp = (): void => {
    abort();
    end();
  };
  return { didAnswer, giveUp };
}
