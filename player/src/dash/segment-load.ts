import type { Unanswered } from "../session/nobody-behind.ts";
import type { PathChooser } from "../session/path-chooser.ts";
import type { Progress } from "../session/progress.ts";
import { requestPriority } from "../session/request-priority.ts";
import { responseHeaders } from "../session/response-headers.ts";
import { fetchSegment } from "../session/segment-fetch.ts";
import type { ByteRange } from "../session/wire/request-line.ts";
import type { FetchResponse } from "../session/worker-session.ts";
import type {
  CommonMediaRequest,
  CommonMediaResponse,
  FragmentRequest,
  LoaderProgress,
} from "./dashjs-internals.ts";
import { attemptOverHttp } from "./http-attempt.ts";
import { SilenceWatch } from "./silence-watch.ts";

export interface SegmentLoadOptions {
  readonly paths: Pick<PathChooser, "next" | "changed" | "path" | "mayAskHttp">;
  /** ms of the epoch, with a fraction. */
  readonly nowMs: () => number;
  /** Told about every failure; dash.js hears only of those that no other way mends. */
  readonly onFailure: (url: string, error: unknown) => void;
  /** Told about every segment that the media server lacks. */
  readonly onOutside: (url: string) => void;
}

/** dash.js reads a time of 0 as unknown; two reports of one millisecond are possible on loopback. */
const MINIMUM_TRACE_MS = 0.001;
/** Nothing waits so long for the page to hear of it: else the worker's clock is another, since either was set, or slept. */
const OTHER_CLOCK_MS = 1000;

/** One segment on its way, over as many ways as it takes. */
export class SegmentLoad {
  readonly #options: SegmentLoadOptions;
  readonly #path: () => string | null;
  readonly #cancel = new AbortController();
  #isOver = false;
  #loaded = 0;
  #total = 0;
  #lastMs = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /**
   * dash.js's limit, of a time without any bytes. A slow segment that comes goes on: asked for anew it would begin with nothing,
   * and dash.js ends a film after a few.
   */
  #limitTime: () => void = () => undefined;
  #silence: SilenceWatch | null = null;
  /** Ends an attempt over HTTP; null while there is none, or it is the last. */
  #giveUpUnanswered: (() => void) | null = null;

  /** @param path what the media server is asked for, as it is known when a session is open; null for what it does not serve */
  constructor(options: SegmentLoadOptions, path: () => string | null) {
    this.#options = options;
    this.#path = path;
  }

  /** Begins; what it returns aborts. */
  readonly start = (
    request: CommonMediaRequest,
    response: CommonMediaResponse,
    onOver: () => void,
  ): (() => void) => {
    const callbacks = request.customData;
    const end = (): boolean => {
      if (this.#isOver) {
        return false;
      }
      this.#isOver = true;
      clearTimeout(this.#timer);
      this.#silence?.end();
      onOver();
      return true;
    };
    const expire = (): void => {
      if (end()) {
        this.#cancel.abort();
        callbacks.ontimeout?.(this.#position());
        callbacks.onloadend?.();
      }
    };
    this.#fetch(request, response, expire).then(
      () => {
        if (end()) {
          callbacks.onloadend?.();
        }
      },
      (error: unknown) => {
        if (end()) {
          // As XHR ends after a network error: dash.js sees no usable status and retries.
          response.status = 0;
          response.statusText = error instanceof Error ? error.message : String(error);
          this.#options.onFailure(request.url, error);
          callbacks.onloadend?.();
        }
      },
    );
    return () => {
      if (end()) {
        this.#cancel.abort();
        callbacks.onabort?.();
      }
    };
  };

  async #fetch(
    request: CommonMediaRequest,
    response: CommonMediaResponse,
    expire: () => void,
  ): Promise<void> {
    const { paths, nowMs, onFailure, onOutside } = this.#options;
    const { request: fragment } = request.customData;
    await fetchSegment<true>(
      { paths, nowMs, onFailure: (error) => onFailure(request.url, error) },
      {
        path: this.#path,
        range: parseRange(fragment.range),
        priority: requestPriority(fragment),
        signal: this.#cancel.signal,
        onAttempt: () => this.#begin(request, expire),
        onAttemptOver: () => clearTimeout(this.#timer),
        onMissing: () => onOutside(request.url),
        onProgress: (progress) => this.#onProgress(request, progress),
        fromSession: (answered) => {
          fill(response, request.url, answered);
          return true;
        },
        overHttp: (isLast) => this.#overHttp(request, response, isLast),
      },
    );
  }

  /** A new attempt: dash.js's account of the request starts anew, its time limit too. */
  #begin(media: CommonMediaRequest, expire: () => void): void {
    const {
      timeout,
      customData: { request },
    } = media;
    this.#lastMs = this.#options.nowMs();
    this.#silence ??= new SilenceWatch(this.#options.nowMs, () => this.#reportSilence(media));
    this.#silence.start();
    this.#loaded = 0;
    this.#total = 0;
    request.firstByteDate = null;
    request.startDate = new Date(this.#lastMs); // a rule that may give it up asks how long it has taken
    // The very list that dash.js makes its throughput sample of: it must not mix two ways.
    request.traces.length = 0;
    this.#limitTime = () => {
      clearTimeout(this.#timer);
      if (timeout > 0) {
        this.#timer = setTimeout(() => this.#onTimeLimit(expire), timeout);
      }
    };
    this.#limitTime();
  }

  /** While nothing is heard of the server the limit says nothing about this request. */
  #onTimeLimit(expire: () => void): void {
    const { kind, reason } = this.#options.paths.path.get();
    if (kind === "webtransport" && reason !== null) {
      this.#limitTime();
    } else if (this.#giveUpUnanswered !== null && this.#total === 0) {
      this.#giveUpUnanswered();
    } else {
      expire();
    }
  }

  #onProgress(request: CommonMediaRequest, { loadedBytes, totalBytes, atMs }: Progress): void {
    if (this.#total === 0) {
      const aheadMs = atMs - this.#options.nowMs();
      if (Math.abs(aheadMs) > OTHER_CLOCK_MS) {
        this.#lastMs += aheadMs; // it came just now, for all that is known
      }
      // Tells dash.js when the first byte came even where the whole segment comes at once; not a sample.
      const empty = { lengthComputable: true, loaded: 0, total: totalBytes, noTrace: true };
      this.#report(request, empty);
    }
    this.#onBytes(request, loadedBytes, totalBytes, atMs);
  }

  async #overHttp(
    request: CommonMediaRequest,
    response: CommonMediaResponse,
    isLast: boolean,
  ): Promise<true | Unanswered> {
    const { nowMs, onFailure } = this.#options;
    const answer: CommonMediaResponse = {
      url: request.url,
      status: 0,
      statusText: "",
      headers: {},
      data: null,
    };
    const attempt = attemptOverHttp(request, answer, this.#cancel.signal, (loaded, total) =>
      this.#onBytes(request, loaded, total ?? this.#total, nowMs()),
    );
    this.#giveUpUnanswered = isLast ? null : attempt.giveUp;
    const unanswered = await attempt.unanswered;
    this.#giveUpUnanswered = null;
    if (unanswered !== null) {
      const said = answer.status === 0 ? "" : ` (a server in front says ${answer.status})`;
      onFailure(request.url, new Error(`nobody answers over HTTP${said}`));
      if (!isLast) {
        return unanswered;
      }
    }
    Object.assign(response, answer);
    return true;
  }

  #onBytes(request: CommonMediaRequest, loaded: number, total: number, atMs: number): void {
    const time = Math.max(MINIMUM_TRACE_MS, atMs - this.#lastMs);
    this.#lastMs = atMs;
    this.#loaded = loaded;
    this.#total = total;
    this.#report(request, { ...this.#position(), time });
  }

  #report(request: CommonMediaRequest, progress: LoaderProgress): void {
    if (this.#isOver) {
      return;
    }
    this.#silence?.heard();
    this.#limitTime();
    request.customData.onprogress?.(progress);
    const fragment = request.customData.request;
    // dash.js sets it once per request, by its own clock, and after a change of way it is ours to set.
    fragment.firstByteDate ??= new Date();
  }

  /** Nothing came: no sample, but an occasion to give up. */
  #reportSilence({ customData }: CommonMediaRequest): void {
    const { firstByteDate } = customData.request;
    customData.onprogress?.({ ...this.#position(), noTrace: true });
    customData.request.firstByteDate = firstByteDate; // dash.js takes any first report for the first byte
  }

  #position(): LoaderProgress {
    return { lengthComputable: this.#total > 0, loaded: this.#loaded, total: this.#total };
  }
}

function fill(response: CommonMediaResponse, url: string, { head, body }: FetchResponse): void {
  response.url = url;
  response.status = head.status;
  response.statusText = head.reason ?? "";
  response.headers = responseHeaders(head);
  if (head.reason === null) {
    response.data = body;
  }
}

/** `first-last` as dash.js keeps it. */
function parseRange(range: FragmentRequest["range"]): ByteRange | null {
  const match = /^(\d+)-(\d+)$/.exec(range ?? "");
  return match === null ? null : [Number(match[1]), Number(match[2])];
}
