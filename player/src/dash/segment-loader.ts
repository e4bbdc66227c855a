/**
 * A replacement of dash.js's XHRLoader that fetches segments by the way that the chooser gives. dash.js keeps everything
 * else: scheduling, retries, interceptors, metrics, abandonment. What is not a segment (the manifest) goes by XHR as before.
 */

import { servedPath } from "../session/served-path.ts";
import type { FragmentRequest, SegmentLoader } from "./dashjs-internals.ts";
import { SegmentLoad, type SegmentLoadOptions } from "./segment-load.ts";
import { passThrough } from "./xhr-load.ts";

export interface SegmentLoaderOptions extends SegmentLoadOptions {
  /** Absolute URL of the directory that the media server serves, with the slash at its end. */
  readonly baseUrl: () => string;
  /** Whose directory that is: another's once the media server turns out to be one that is known. */
  readonly servedFilm: () => unknown;
}

/** A request of dash.js; a callback event of a manifest has no more. */
interface LoaderRequest {
  readonly url: string;
  readonly customData: { readonly request?: Pick<FragmentRequest, "type"> };
}

const SEGMENT_TYPES: readonly string[] = ["MediaSegment", "InitializationSegment", "IndexSegment"];

/**
 * What `MediaPlayer.extend("XHRLoader", ..., false)` takes: called once per stream of requests. `options` is asked at
 * every request; null hands it on to XHR.
 */
export function segmentLoaderFactory(options: () => SegmentLoaderOptions | null): () => SegmentLoader {
  return () => {
    const open = new Set<() => void>();
    const abort = (): void => {
      for (const abortOne of [...open]) {
        abortOne();
      }
    };
    return {
      load(request, response) {
        const present = options();
        const path = present === null ? null : segmentPath(request, present);
        const film = present?.servedFilm();
        const start =
          present === null || path === null
            ? passThrough
            : new SegmentLoad(present, () => (present.servedFilm() === film ? path : null)).start;
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
function segmentPath(
  { url, customData }: LoaderRequest,
  { baseUrl, onOutside }: SegmentLoaderOptions,
): string | null {
  if (!SEGMENT_TYPES.includes(customData.request?.type ?? "")) {
    return null;
  }
  const path = servedPath(url, baseUrl());
  if (path === null) {
    onOutside(url);
  }
  return path;
}
