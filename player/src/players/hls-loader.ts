import type {
  FragmentLoaderConstructor,
  FragmentLoaderContext,
  HlsConfig,
  Loader,
  LoaderCallbacks,
  LoaderConfiguration,
  LoaderStats,
} from "hls.js";
import type { NuwaCore, SegmentAnswer } from "../core/nuwa-types.ts";
import { requestPriority } from "../session/request-priority.ts";
import { setUpRequest } from "./hls-setup.ts";

/** What hls.js takes as `fLoader`: its segments come by `nuwa`. */
export function nuwaLoader(nuwa: NuwaCore): FragmentLoaderConstructor {
  return class extends SegmentLoader {
    constructor(config: HlsConfig) {
      super(nuwa, config);
    }
  };
}

/** hls.js makes one for each segment. */
class SegmentLoader implements Loader<FragmentLoaderContext> {
  context: FragmentLoaderContext | null = null;
  readonly stats: LoaderStats = emptyStats();
  readonly #nuwa: NuwaCore;
  readonly #config: HlsConfig;
  readonly #cancel = new AbortController();
  #callbacks: LoaderCallbacks<FragmentLoaderContext> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(nuwa: NuwaCore, config: HlsConfig) {
    this.#nuwa = nuwa;
    this.#config = config;
  }

  load(
    context: FragmentLoaderContext,
    { loadPolicy }: LoaderConfiguration,
    callbacks: LoaderCallbacks<FragmentLoaderContext>,
  ): void {
    this.context = context;
    this.#callbacks = callbacks;
    const { stats } = this;
    stats.loading.start = performance.now();
    if (Number.isFinite(loadPolicy.maxLoadTimeMs)) {
      this.#timer = setTimeout(() => {
        this.#end()?.onTimeout(stats, context, null);
        this.#cancel.abort();
      }, loadPolicy.maxLoadTimeMs);
    }
    this.#fetch(context).then(
      (answer) => this.#onAnswer(context, answer),
      (error: unknown) => {
        const text = error instanceof Error ? error.message : String(error);
        this.#end()?.onError({ code: 0, text }, context, null, stats);
      },
    );
  }

  abort(): void {
    const { context, stats } = this;
    const ended = this.#end();
    if (ended !== null && context !== null) {
      stats.aborted = true;
      this.#cancel.abort();
      ended.onAbort?.(stats, context, null);
    }
  }

  destroy(): void {
    this.#end();
    this.#cancel.abort();
    this.context = null;
  }

  async #fetch(context: FragmentLoaderContext): Promise<SegmentAnswer> {
    const { stats } = this;
    const { frag, rangeStart, rangeEnd } = context;
    const { url, headers, credentials } = await setUpRequest(context, this.#config);
    return await this.#nuwa.fetch(url, {
      // hls.js names the byte after the last one, as slices do; 0 for the whole file.
      ...(rangeEnd ? { range: [rangeStart ?? 0, rangeEnd - 1] } : {}),
      priority: requestPriority({
        mediaType: frag.type,
        startTime: frag.sn === "initSegment" ? Number.NaN : frag.start,
      }),
      headers,
      credentials,
      signal: this.#cancel.signal,
      onProgress: ({ loadedBytes, totalBytes }) => {
        stats.loading.first ||= loadedBytes > 0 ? performance.now() : 0;
        stats.loaded = loadedBytes;
        stats.total = totalBytes;
      },
    });
  }

  #onAnswer(context: FragmentLoaderContext, { url, status, body }: SegmentAnswer): void {
    const { stats } = this;
    stats.loading.end = performance.now();
    stats.loading.first ||= stats.loading.end;
    stats.loaded = body.byteLength;
    stats.total = body.byteLength;
    const ended = this.#end();
    if (status === 200 || status === 206) {
      ended?.onProgress?.(stats, context, body, null); // all that a progressive hls.js takes
      ended?.onSuccess({ url, data: body, code: status }, stats, context, null);
    } else {
      ended?.onError({ code: status, text: `HTTP status ${status}` }, context, null, stats);
    }
  }

  /** Who is to be told; null where it was told, or shall not be. */
  #end(): LoaderCallbacks<FragmentLoaderContext> | null {
    const callbacks = this.#callbacks;
    this.#callbacks = null;
    clearTimeout(this.#timer);
    return callbacks;
  }
}

function emptyStats(): LoaderStats {
  return {
    aborted: false,
    loaded: 0,
    retry: 0,
    total: 0,
    chunkCount: 0,
    bwEstimate: 0,
    loading: { start: 0, first: 0, end: 0 },
    parsing: { start: 0, end: 0 },
    buffering: { start: 0, first: 0, end: 0 },
  };
}
