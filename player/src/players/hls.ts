/** hls.js over a receiver of ours: `new Hls({ fLoader: nuwaLoader(nuwa) })`. */

import type Hls from "hls.js";
import type {
  FragmentLoaderConstructor,
  FragmentLoaderContext,
  Loader,
  LoaderCallbacks,
  LoaderConfiguration,
  LoaderStats,
} from "hls.js";
import type { NuwaCore } from "../core/nuwa.ts";

/** What hls.js takes as `fLoader`: its segments come by `nuwa`. */
export function nuwaLoader(nuwa: NuwaCore): FragmentLoaderConstructor {
  return class implements Loader<FragmentLoaderContext> {
    context: FragmentLoaderContext | null = null;
    readonly stats: LoaderStats = emptyStats();
    readonly #cancel = new AbortController();
    #callbacks: LoaderCallbacks<FragmentLoaderContext> | null = null;
    #timer: ReturnType<typeof setTimeout> | undefined;

    load(
      context: FragmentLoaderContext,
      { loadPolicy }: LoaderConfiguration,
      callbacks: LoaderCallbacks<FragmentLoaderContext>,
    ): void {
      this.context = context;
      this.#callbacks = callbacks;
      const { stats } = this;
      const { url, rangeStart, rangeEnd } = context;
      stats.loading.start = performance.now();
      if (Number.isFinite(loadPolicy.maxLoadTimeMs)) {
        this.#timer = setTimeout(() => {
          this.#end()?.onTimeout(stats, context, null);
          this.#cancel.abort();
        }, loadPolicy.maxLoadTimeMs);
      }
      nuwa
        .fetch(url, {
          // hls.js names the byte after the last one, as slices do; 0 for the whole file.
          ...(rangeEnd ? { range: [rangeStart ?? 0, rangeEnd - 1] } : {}),
          signal: this.#cancel.signal,
          onProgress: ({ loadedBytes, totalBytes }) => {
            stats.loading.first ||= loadedBytes > 0 ? performance.now() : 0;
            stats.loaded = loadedBytes;
            stats.total = totalBytes;
          },
        })
        .then(
          ({ status, body, url: answeredUrl }) => {
            stats.loading.end = performance.now();
            stats.loading.first ||= stats.loading.end;
            stats.loaded = body.byteLength;
            stats.total = body.byteLength;
            const ended = this.#end();
            if (status === 200 || status === 206) {
              ended?.onSuccess({ url: answeredUrl, data: body, code: status }, stats, context, null);
            } else {
              ended?.onError({ code: status, text: `HTTP status ${status}` }, context, null, stats);
            }
          },
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

    /** Who is to be told; null where it was told, or shall not be. */
    #end(): LoaderCallbacks<FragmentLoaderContext> | null {
      const callbacks = this.#callbacks;
      this.#callbacks = null;
      clearTimeout(this.#timer);
      return callbacks;
    }
  };
}

/** Gives hls.js's choice of level the receiver's estimate. What it returns ends that. */
export function giveEstimate(hls: Pick<Hls, "bandwidthEstimate">, nuwa: NuwaCore): () => void {
  return nuwa.on("estimate", ({ bandwidthBitsPerSecond }) => {
    if (bandwidthBitsPerSecond !== null && bandwidthBitsPerSecond > 0) {
      hls.bandwidthEstimate = bandwidthBitsPerSecond;
    }
  });
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
