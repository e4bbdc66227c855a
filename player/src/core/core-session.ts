import type { ReadonlySignal } from "@preact/signals-core";
import { requireNeed } from "../../../cc/receiver/need.ts";
import type { Need } from "../../../cc/receiver/receiver-scheme.ts";
import { type SessionChoices, sessionParametersOf } from "../options/session-options.ts";
import type { MediaPath } from "../session/media-path.ts";
import type { MediaSession } from "../session/media-session.ts";
import type { NetworkEstimate } from "../session/network-estimate.ts";
import { fetchSegment } from "../session/segment-fetch.ts";
import { servedPath, warnOfOutside } from "../session/served-path.ts";
import type { SessionState } from "../session/session-state.ts";
import { reporting, watchNews } from "../session/watch.ts";
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

export class CoreSession implements NuwaCore {
  readonly #session: MediaSession;
  readonly #baseUrl: string;
  readonly #onOutside: (url: string) => void;
  readonly #events: { readonly [T in keyof NuwaCoreEvents]: ReadonlySignal<NuwaCoreEvents[T] | null> };
  readonly #listening = new Set<() => void>();
  #choices: SessionChoices;

  /** @param baseUrl absolute, with the slash at its end */
  constructor(session: MediaSession, baseUrl: string, { server, ...options }: NuwaCoreOptions) {
    this.#session = session;
    this.#baseUrl = baseUrl;
    this.#onOutside = server === null ? () => undefined : warnOfOutside(() => `baseUrl ${baseUrl}`);
    this.#choices = options;
    this.#events = { path: session.path, estimate: session.estimate, session: session.state };
  }

  path(): MediaPath {
    return this.#session.path.value;
  }

  estimate(): NetworkEstimate | null {
    return this.#session.estimate.value;
  }

  session(): SessionState | null {
    return this.#session.state.value;
  }

  serves(url: string): boolean {
    return servedPath(new URL(url, document.baseURI).href, this.#baseUrl) !== null;
  }

  async fetch(url: string, init: SegmentFetchInit = {}): Promise<SegmentAnswer> {
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
        path,
        range,
        ...(priority === undefined ? {} : { priority }),
        signal,
        onAttempt: () => onProgress({ loadedBytes: 0, totalBytes: 0 }),
        onProgress: ({ loadedBytes, totalBytes }) => onProgress({ loadedBytes, totalBytes }),
        fromSession: (response) => sessionAnswer(href, response),
        overHttp: (isLast) => askHttp().catch((error: unknown) => nobodyAnswered(error, isLast, signal)),
      },
    );
  }

  tell(need: Need): void {
    requireNeed(need); // here, where whoever said it hears of it, session or none: in the worker it would end the session
    this.#session.tell(need);
  }

  change(choices: SessionChoices): void {
    const next = { ...this.#choices, ...choices };
    const parameters = sessionParametersOf(next);
    this.#choices = next;
    this.#session.change(parameters);
  }

  reconnect(): void {
    this.#session.reconnect();
  }

  on<T extends keyof NuwaCoreEvents>(type: T, listener: (event: NuwaCoreEvents[T]) => void): () => void {
    const end = watchNews<NuwaCoreEvents[T]>(this.#events[type], listener);
    this.#listening.add(end);
    return () => {
      this.#listening.delete(end);
      end();
    };
  }

  close(): void {
    for (const end of this.#listening) {
      end(); // first: to be closed is no fallback
    }
    this.#session.close("closed");
  }
}

/** null where there may be another attempt. Throws the error where it is the player's to hear of. */
function nobodyAnswered(error: unknown, isLast: boolean, signal: AbortSignal): null {
  if (isLast || signal.aborted || !(error instanceof NobodyAnswered)) {
    throw error;
  }
  return null;
}
