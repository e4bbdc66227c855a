import { requireNeed } from "../../../cc/receiver/need.ts";
import type { Need } from "../../../cc/receiver/receiver-scheme.ts";
import { SessionFace } from "../options/session-face.ts";
import type { MediaSession } from "../session/media-session.ts";
import { Unanswered, unansweredBy } from "../session/nobody-behind.ts";
import { reporting } from "../session/reporting.ts";
import { fetchSegment } from "../session/segment-fetch.ts";
import { servedPath, warnOfOutside } from "../session/served-path.ts";
import { fetchOverHttp, NobodyAnswered } from "./http-attempt.ts";
import type {
  NuwaCore,
  NuwaCoreEvents,
  NuwaCoreOptions,
  SegmentAnswer,
  SegmentFetchInit,
  SegmentProgress,
} from "./nuwa-types.ts";
import { sessionAnswer } from "./segment-answer.ts";

export class CoreSession extends SessionFace<NuwaCoreEvents> implements NuwaCore {
  readonly #session: MediaSession;
  readonly #baseUrl: string;
  readonly #onOutside: (url: string) => void;

  /** @param baseUrl absolute, with the slash at its end */
  constructor(session: MediaSession, baseUrl: string, { server, ...options }: NuwaCoreOptions) {
    super(session, options, { path: session.path, estimate: session.estimate, session: session.state });
    this.#session = session;
    this.#baseUrl = baseUrl;
    this.#onOutside = server === null ? () => undefined : warnOfOutside(() => `baseUrl ${baseUrl}`);
  }

  serves(url: string | URL): boolean {
    return servedPath(new URL(url, document.baseURI).href, this.#baseUrl) !== null;
  }

  async fetch(url: string | URL, init: SegmentFetchInit = {}): Promise<SegmentAnswer> {
    const { href } = new URL(url, document.baseURI);
    const {
      range = null,
      priority,
      credentials = "same-origin",
      signal = new AbortController().signal,
    } = init;
    const headers = new Headers(init.headers);
    if (range !== null) {
      headers.set("range", `bytes=${range[0]}-${range[1]}`);
    }
    const onProgress = reporting<SegmentProgress>((progress) => init.onProgress?.(progress));
    const askHttp = () => fetchOverHttp(href, { headers, credentials, signal, onProgress });
    const path = servedPath(href, this.#baseUrl);
    if (path === null) {
      this.#onOutside(href);
      return askHttp();
    }
    return fetchSegment<SegmentAnswer>(
      {
        paths: this.#session.paths,
        nowMs: () => performance.now(),
        onFailure: (error) => console.warn(`${href}: ${error instanceof Error ? error.message : error}`),
      },
      {
        path: () => path,
        range,
        priority,
        signal,
        onAttempt: () => onProgress({ loadedBytes: 0, totalBytes: 0 }),
        onMissing: () => this.#onOutside(href),
        onProgress: ({ loadedBytes, totalBytes }) => onProgress({ loadedBytes, totalBytes }),
        fromSession: (response) => sessionAnswer(href, response),
        overHttp: (isLast) =>
          askHttp().then(
            (answer) =>
              (isLast ? null : unansweredBy(answer.status, answer.headers["retry-after"])) ?? answer,
            (error: unknown) => nobodyAnswered(error, isLast, signal),
          ),
      },
    );
  }

  tell(need: Need): void {
    requireNeed(need); // here, where whoever said it hears of it, session or none: in the worker it would end the session
    this.#session.tell(need);
  }

  close(): void {
    this.end("closed");
  }
}

/** Where there may be another attempt. Throws the error where it is the player's to hear of. */
function nobodyAnswered(error: unknown, isLast: boolean, signal: AbortSignal): Unanswered {
  if (isLast || signal.aborted || !(error instanceof NobodyAnswered)) {
    throw error;
  }
  return new Unanswered();
}
