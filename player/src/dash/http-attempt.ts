import { type Unanswered, unansweredBy } from "../session/nobody-behind.ts";
import type { CommonMediaRequest, CommonMediaResponse } from "./dashjs-internals.ts";
import { loadByXhr } from "./xhr-load.ts";

/** A segment that is asked for over HTTP, once. */
export interface HttpAttempt {
  /** null: the answer is in the response. Never settles where the signal was aborted before. */
  readonly unanswered: Promise<Unanswered | null>;
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
  const unanswered = new Promise<Unanswered | null>((resolve) => {
    end = () => {
      signal.removeEventListener("abort", abort);
      resolve(unansweredBy(response.status, response.headers["retry-after"]));
    };
  });
  let isFilm = true;
  // The limit is ours: it is not to be dash.js's while nobody answers.
  const abort = loadByXhr({ ...request, timeout: 0 }, response, {
    // The head is the trace that dash.js leaves out of its sample, which is then the body's bytes over the body's time.
    onHead: (totalBytes, status) => {
      isFilm = unansweredBy(status, null) === null;
      if (isFilm) {
        onBytes(0, totalBytes);
      }
    },
    onProgress: ({ loaded, total, lengthComputable }) => {
      if (isFilm) {
        onBytes(loaded, lengthComputable ? total : null);
      }
    },
    onEnd: () => end(),
  });
  signal.addEventListener("abort", abort);
  const giveUp = (): void => {
    abort();
    end();
  };
  return { unanswered, giveUp };
}
