/** Shaka Player over a receiver of ours: `attachShaka(shaka, player, nuwa)` before `player.load()`. */

import type shaka from "shaka-player";
import type { NuwaCore } from "../core/nuwa-types.ts";
import type { ByteRange } from "../session/wire/request-line.ts";
import { receivedBitsPerSecond } from "./received-bandwidth.ts";

type Shaka = typeof shaka;

/** Shaka asks the plugin of a URL's scheme, one for the whole page: it looks who serves the URL. */
const SCHEMES = ["http", "https"] as const;
const open = new Set<NuwaCore>();
let isRegistered = false;
/** Shaka's own plugins report no oftener. */
const REPORT_MS = 100;
/** Shaka takes what came faster for the browser's cache's, unless told otherwise. */
const CACHE_MS = 5;

/**
 * Segments of `player` that the media server serves come by `nuwa`, and its choice of variant goes by the receiver's
 * estimate. Call it before `load()`.
 *
 * @returns what takes it off; it closes nothing
 */
export function attachShaka(namespace: Shaka, player: shaka.Player, nuwa: NuwaCore): () => void {
  register(namespace);
  open.add(nuwa);
  player.configure("abrFactory", () => estimatingAbr(namespace, nuwa));
  return () => {
    open.delete(nuwa);
    player.configure("abrFactory", () => new namespace.abr.SimpleAbrManager());
  };
}

function register({ net, util }: Shaka): void {
  if (isRegistered) {
    return;
  }
  isRegistered = true;
  const { NetworkingEngine, HttpFetchPlugin } = net;
  const plugin: shaka.extern.SchemePlugin = (
    uri,
    request,
    requestType,
    progressUpdated,
    headersReceived,
    config,
  ) => {
    const range = rangeOf(request);
    const isSegment = requestType === NetworkingEngine.RequestType.SEGMENT && request.method === "GET";
    const nuwa = isSegment ? [...open].find((one) => one.serves(uri)) : undefined;
    if (nuwa === undefined || range === undefined) {
      return HttpFetchPlugin.parse(uri, request, requestType, progressUpdated, headersReceived, config);
    }
    const cancel = new AbortController();
    const { Severity, Category, Code } = util.Error;
    const { minBytesForProgressEvents: leastBytes = 0 } = config;
    const reports = new Reports(progressUpdated, leastBytes);
    const response = fetchFor(nuwa, uri, request, range, cancel.signal, reports).then(
      (answer) => {
        const { status } = answer;
        if (status === 200 || status === 206) {
          return answer;
        }
        const { BAD_HTTP_STATUS } = Code;
        const what = [uri, status, null, answer.headers, requestType, uri] as const;
        throw new util.Error(Severity.RECOVERABLE, Category.NETWORK, BAD_HTTP_STATUS, ...what);
      },
      (error: unknown) => {
        throw cancel.signal.aborted
          ? new util.Error(Severity.RECOVERABLE, Category.PLAYER, Code.OPERATION_ABORTED)
          : new util.Error(Severity.RECOVERABLE, Category.NETWORK, Code.HTTP_ERROR, uri, error, requestType);
      },
    );
    return new util.AbortableOperation(response, () => {
      cancel.abort();
      return Promise.resolve();
    });
  };
  for (const scheme of SCHEMES) {
    NetworkingEngine.registerScheme(scheme, plugin, NetworkingEngine.PluginPriority.APPLICATION, true);
  }
}

/** First and last byte; null for the whole file, undefined where it is asked for in a way that the receiver has not. */
function rangeOf({ headers }: shaka.extern.Request): ByteRange | null | undefined {
  const said = Object.entries(headers).find(([name]) => name.toLowerCase() === "range")?.[1];
  if (said === undefined) {
    return null;
  }
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(said) ?? [];
  // Whoever serves a range cuts it at the file's end.
  return first === undefined ? undefined : [Number(first), last ? Number(last) : Number.MAX_SAFE_INTEGER];
}

/** What Shaka hears of a download: as much at once as its estimate takes for a sample. */
class Reports {
  readonly #progressUpdated: shaka.extern.ProgressUpdated;
  readonly #leastBytes: number;
  #toldMs = performance.now();
  #toldBytes = 0;

  constructor(progressUpdated: shaka.extern.ProgressUpdated, leastBytes: number) {
    this.#progressUpdated = progressUpdated;
    this.#leastBytes = leastBytes;
  }

  onProgress(loadedBytes: number, totalBytes: number): void {
    if (loadedBytes === 0) {
      this.#toldMs = performance.now(); // an attempt begins, or its body
      this.#toldBytes = 0;
    } else if (
      performance.now() - this.#toldMs >= REPORT_MS &&
      loadedBytes - this.#toldBytes >= this.#leastBytes
    ) {
      this.#tell(loadedBytes, totalBytes);
    }
  }

  onWhole(bytes: number): void {
    if (bytes > this.#toldBytes) {
      this.#tell(bytes, bytes);
    }
  }

  #tell(loadedBytes: number, totalBytes: number): void {
    const nowMs = performance.now();
    const remainingBytes = Math.max(0, totalBytes - loadedBytes); // the total may be unknown
    this.#progressUpdated(nowMs - this.#toldMs, loadedBytes - this.#toldBytes, remainingBytes);
    this.#toldMs = nowMs;
    this.#toldBytes = loadedBytes;
  }
}

async function fetchFor(
  nuwa: NuwaCore,
  uri: string,
  request: shaka.extern.Request,
  range: ByteRange | null,
  signal: AbortSignal,
  reports: Reports,
): Promise<shaka.extern.Response> {
  const startedMs = performance.now();
  const { url, status, headers, body } = await nuwa.fetch(uri, {
    ...(range === null ? {} : { range }),
    headers: request.headers,
    signal,
    onProgress: ({ loadedBytes, totalBytes }) => reports.onProgress(loadedBytes, totalBytes),
  });
  reports.onWhole(body.byteLength);
  return {
    uri: url,
    originalUri: uri,
    originalRequest: request,
    data: body,
    status,
    headers,
    timeMs: performance.now() - startedMs,
  };
}

/** Shaka's own manager, to which the link is as fast as the receiver says, while it says so. */
function estimatingAbr({ abr }: Shaka, nuwa: NuwaCore): shaka.extern.AbrManager {
  class EstimatingAbr extends abr.SimpleAbrManager {
    override getBandwidthEstimate(): number {
      return receivedBitsPerSecond(nuwa) ?? super.getBandwidthEstimate();
    }

    override segmentDownloaded(
      deltaTimeMs: number,
      bytes: number,
      allowSwitch: boolean,
      request?: shaka.extern.Request,
      context?: shaka.extern.RequestContext,
    ): void {
      // No cache has what came over the session; without samples of its own Shaka would not choose anew.
      const durationMs = receivedBitsPerSecond(nuwa) === null ? deltaTimeMs : Math.max(CACHE_MS, deltaTimeMs);
      super.segmentDownloaded(durationMs, bytes, allowSwitch, request, context);
    }
  }
  return new EstimatingAbr();
}
