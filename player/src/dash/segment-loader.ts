/**
 * A replacement of dash.js's XHRLoader that fetches segments through the receiver. dash.js keeps everything else:
 * scheduling, retries, interceptors, metrics, abandonment. What is not a segment (the manifest) goes by XHR as before.
 */

import type { Progress } from "../receiver/progress-throttle.ts";
import type { Receiver } from "../receiver/receiver.ts";
import type { ByteRange } from "../wire/request-line.ts";
import type {
  CommonMediaRequest,
  CommonMediaResponse,
  LoaderProgress,
  SegmentLoader,
} from "./dashjs-internals.ts";
import { requestPriority } from "./request-priority.ts";
import { loadByXhr } from "./xhr-load.ts";

export interface SegmentLoaderOptions {
  /** The open receiver, or the next one after a session was lost. Rejects when there will be none. */
  readonly receiver: () => Promise<Pick<Receiver, "request">>;
  /** URL of the directory that the media server serves. */
  readonly baseUrl: string;
  /** ms of the epoch, with a fraction. */
  readonly nowMs: () => number;
  /** Told about every failure, which dash.js then retries. */
  readonly onFailure: (url: string, error: unknown) => void;
}

const SEGMENT_TYPES: readonly string[] = ["MediaSegment", "InitializationSegment", "IndexSegment"];

/** What `MediaPlayer.extend("XHRLoader", ..., false)` takes: called once per stream of requests. */
export function segmentLoaderFactory(options: SegmentLoaderOptions): () => SegmentLoader {
  return () => {
    const open = new Set<() => void>();
    const abort = (): void => {
      for (const abortOne of [...open]) {
        abortOne();
      }
    };
    return {
      load(request, response) {
        const path = segmentPath(request, options.baseUrl);
        const start = path === null ? loadByXhr : new SegmentLoad(options, path).start;
        const abortOne = start(request, response, () => open.delete(abortThis));
        const abortThis = (): void => {
          open.delete(abortThis);
          abortOne();
        };
        request.customData.abort = abortThis;
        open.add(abortThis);
        return true;
      },
      abort,
      reset: abort,
      resetInitialSettings: abort,
    };
  };
}

/** The path to ask the media server for; null for what it does not serve. */
function segmentPath(request: CommonMediaRequest, baseUrl: string): string | null {
  const isSegment = SEGMENT_TYPES.includes(request.customData.request.type);
  if (!isSegment || !request.url.startsWith(baseUrl)) {
    return null;
  }
  return decodeURIComponent(new URL(request.url).pathname.slice(new URL(baseUrl).pathname.length));
}

/** `first-last` as dash.js keeps it. */
function parseRange(range: string | null): ByteRange | null {
  const match = /^(\d+)-(\d+)$/.exec(range ?? "");
  return match === null ? null : [Number(match[1]), Number(match[2])];
}

/** One segment on its way. */
class SegmentLoad {
  readonly #options: SegmentLoaderOptions;
  readonly #path: string;
  readonly #cancel = new AbortController();
  #isOver = false;
  #loaded = 0;
  #total = 0;

  constructor(options: SegmentLoaderOptions, path: string) {
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
      clearTimeout(timer);
      onOver();
      return true;
    };
    const timer =
      request.timeout > 0
        ? setTimeout(() => {
            if (end()) {
              this.#cancel.abort();
              callbacks.ontimeout?.(this.#position());
              callbacks.onloadend?.();
            }
          }, request.timeout)
        : undefined;
    this.#fetch(request, response).then(
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

  async #fetch(request: CommonMediaRequest, response: CommonMediaResponse): Promise<void> {
    const { request: fragment } = request.customData;
    const range = parseRange(fragment.range);
    const receiver = await this.#options.receiver();
    let lastMs = this.#options.nowMs();
    let isFirst = true;
    const onProgress = (progress: Progress): void => {
      if (this.#isOver) {
        return;
      }
      this.#loaded = progress.loadedBytes;
      this.#total = progress.totalBytes;
      if (isFirst) {
        // Tells dash.js when the first byte came even where the whole segment comes at once; not a sample.
        request.customData.onprogress?.({
          lengthComputable: true,
          loaded: 0,
          total: this.#total,
          noTrace: true,
        });
        isFirst = false;
      }
      const time = Math.max(MINIMUM_TRACE_MS, progress.atMs - lastMs);
      lastMs = progress.atMs;
      request.customData.onprogress?.({ ...this.#position(), time });
    };
    const { head, body } = await receiver.request({
      path: this.#path,
      ...(range === null ? {} : { range }),
      priority: requestPriority(fragment),
      signal: this.#cancel.signal,
      onProgress,
    });
    response.url = request.url;
    response.status = head.status;
    response.statusText = head.reason ?? "";
    response.headers = {
      "content-length": String(head.lengthBytes),
      ...(head.type === null ? {} : { "content-type": head.type }),
    };
    if (head.reason === null) {
      response.data = body;
    }
  }

  #position(): LoaderProgress {
    return { lengthComputable: this.#total > 0, loaded: this.#loaded, total: this.#total };
  }
}

/** dash.js reads a time of 0 as unknown; two reports of one millisecond are possible on loopback. */
const MINIMUM_TRACE_MS = 0.001;
