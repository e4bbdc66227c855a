import type { ReadonlySignal } from "@preact/signals-core";
import type { Need } from "../../../cc/receiver/receiver-scheme.ts";
import type { NuwaOptions } from "../library/nuwa-api.ts";
import { sessionOptionsOf, sessionParametersOf } from "../library/session-options.ts";
import type { MediaPath } from "../session/media-path.ts";
import { MediaSession, type MediaSessionOptions } from "../session/media-session.ts";
import type { NetworkEstimate } from "../session/network-estimate.ts";
import { folderUrl } from "../session/policy/folder-url.ts";
import { fetchSegment } from "../session/segment-fetch.ts";
import type { SessionState } from "../session/session-state.ts";
import { StampLog } from "../session/stamp-record.ts";
import { watchNews } from "../session/watch.ts";
import type { ByteRange } from "../session/wire/request-line.ts";
import type { FetchResponse } from "../session/worker-session.ts";
import { fetchOverHttp } from "./http-attempt.ts";
import { workerOfScheme } from "./worker-of-scheme.ts";

export interface NuwaCoreOptions
  extends Pick<NuwaOptions, "server" | "scheme" | "preset" | "fallback" | "policies" | "createWorker"> {
  /** URL of the directory that the media server serves, absolute or of the page. */
  readonly baseUrl: string;
}

/** A segment, whichever way it came. */
export interface SegmentAnswer {
  readonly url: string;
  /** 200, 206, or what went wrong. */
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ArrayBuffer;
  readonly cameBy: "webtransport" | "http";
}

export interface SegmentProgress {
  readonly loadedBytes: number;
  /** 0 while unknown. */
  readonly totalBytes: number;
}

export interface SegmentFetchInit {
  /** First and last byte, both inclusive. */
  readonly range?: ByteRange;
  /** 0 is sent first; by default in the order of asking, behind those that have one. */
  readonly priority?: number;
  /** Of requests over HTTP; over WebTransport there is no place for them. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Begins anew with every attempt. */
  readonly onProgress?: (progress: SegmentProgress) => void;
}

export interface NuwaCoreEvents {
  readonly path: MediaPath;
  /** About every 100 ms while a session is open. */
  readonly estimate: NetworkEstimate;
  readonly session: SessionState;
}

/** The receiver, its estimate and its downloads, for any player. */
export interface NuwaCore {
  path(): MediaPath;
  /** The receiver's newest; null before the first, and while segments come over HTTP, when it is stale. */
  estimate(): NetworkEstimate | null;
  /** Whether the media server serves this URL. */
  serves(url: string): boolean;
  /**
   * A segment over WebTransport, or over HTTP while there is none. Rejects with the signal's reason, and where no way is
   * left; a URL that the media server does not serve comes over HTTP.
   */
  fetch(url: string, init?: SegmentFetchInit): Promise<SegmentAnswer>;
  /**
   * Tells the receiver what the player needs, for presets that go by it (`film`): at least once in two seconds, or it has
   * all that the link has. Throws RangeError for what makes no sense.
   */
  tell(need: Need): void;
  /** Opens a session with other parameters. */
  change(choices: Pick<NuwaOptions, "scheme" | "preset">): void;
  /** Opens the session anew: the server's address has changed. */
  reconnect(): void;
  /** What it returns ends the listening. */
  on<T extends keyof NuwaCoreEvents>(type: T, listener: (event: NuwaCoreEvents[T]) => void): () => void;
  /** Ends the session, for good, and all events; what is open goes on over HTTP, whatever `fallback` says. */
  close(): void;
}

/** Opens a session. Throws where there is no such preset, and RangeError for numbers outside their ranges. */
export function openNuwa(
  options: NuwaCoreOptions,
  /** For tests: what stands in for the worker's session. */
  open?: MediaSessionOptions["open"],
): NuwaCore {
  const session = new MediaSession({
    ...sessionOptionsOf(options),
    stamps: new StampLog(),
    workerOf: workerOfScheme,
    open,
  });
  const baseUrl = folderUrl(options.baseUrl, document.baseURI);
  const events: { readonly [T in keyof NuwaCoreEvents]: ReadonlySignal<NuwaCoreEvents[T] | null> } = {
    path: session.path,
    estimate: session.estimate,
    session: session.state,
  };
  const listening = new Set<() => void>();
  let choices: Pick<NuwaOptions, "scheme" | "preset"> = options;

  const serves = (url: string): boolean => new URL(url, document.baseURI).href.startsWith(baseUrl);

  const fetchOne = async (url: string, init: SegmentFetchInit = {}): Promise<SegmentAnswer> => {
    const { href, pathname } = new URL(url, document.baseURI);
    const { range = null, priority, headers, signal = new AbortController().signal, onProgress } = init;
    const attempt = { range, headers, signal, onProgress };
    if (!serves(href)) {
      return fetchOverHttp(href, attempt);
    }
    return fetchSegment<SegmentAnswer>(
      {
        paths: session.paths,
        nowMs: () => performance.now(),
        onFailure: (error) => console.warn(`${href}: ${error instanceof Error ? error.message : error}`),
      },
      {
        path: decodeURIComponent(pathname.slice(new URL(baseUrl).pathname.length)),
        range,
        ...(priority === undefined ? {} : { priority }),
        signal,
        onAttempt: () => onProgress?.({ loadedBytes: 0, totalBytes: 0 }),
        onProgress: ({ loadedBytes, totalBytes }) => onProgress?.({ loadedBytes, totalBytes }),
        fromSession: (response) => answerOf(href, response),
        overHttp: async (isLast) => {
          try {
            return await fetchOverHttp(href, attempt);
          } catch (error) {
            // What fetch throws where nobody answers.
            if (isLast || signal.aborted || !(error instanceof TypeError)) {
              throw error;
            }
            return null;
          }
        },
      },
    );
  };

  return {
    path: () => session.path.value,
    estimate: () => session.estimate.value,
    serves,
    fetch: fetchOne,
    tell: (need) => session.tell(need),
    change: (next) => {
      const merged = { ...choices, ...next };
      const parameters = sessionParametersOf(merged);
      choices = merged;
      session.change(parameters);
    },
    reconnect: () => session.reconnect(),
    on: <T extends keyof NuwaCoreEvents>(type: T, listener: (event: NuwaCoreEvents[T]) => void) => {
      const end = watchNews<NuwaCoreEvents[T]>(events[type], listener);
      listening.add(end);
      return () => {
        listening.delete(end);
        end();
      };
    },
    close: () => {
      for (const end of listening) {
        end(); // first: to be closed is no fallback
      }
      session.close("closed");
    },
  };
}

function answerOf(url: string, { head, body }: FetchResponse): SegmentAnswer {
  return {
    url,
    status: head.status,
    headers: {
      "content-length": String(head.lengthBytes),
      ...(head.type === null ? {} : { "content-type": head.type }),
    },
    body: body ?? new ArrayBuffer(0),
    cameBy: "webtransport",
  };
}
