/** What Shaka asks for segments, in place of its own plugin of HTTP. */

import type shaka from "shaka-player";
import type { NuwaCore } from "../core/nuwa-types.ts";
import { requestPriority } from "../session/request-priority.ts";
import type { ByteRange } from "../session/wire/request-line.ts";

/** Who fetches a segment, and how soon it is played. */
interface Wish {
  readonly nuwa: NuwaCore;
  readonly context: shaka.extern.RequestContext | undefined;
  readonly onOutside: (url: string) => void;
}

/** Shaka asks the plugin of a URL's scheme, one for the whole page: each player's filter says whose a request is. */
const wishes = new WeakMap<shaka.extern.Request, Wish>();
const SCHEMES = ["http", "https"] as const;
const registered = new WeakSet<typeof shaka.net.NetworkingEngine>();
/** Shaka's own plugins report no oftener. */
const REPORT_MS = 100;

/** What Shaka takes as a request filter: segments are fetched by `nuwa`. */
export function segmentFilter(
  { net }: typeof shaka,
  nuwa: NuwaCore,
  onOutside: (url: string) => void,
): shaka.extern.RequestFilter {
  return (type, request, context) => {
    if (type === net.NetworkingEngine.RequestType.SEGMENT && request.method === "GET") {
      wishes.set(request, { nuwa, context, onOutside });
    }
  };
}

/** Puts the plugin before Shaka's own, once; what no filter wishes goes by that. */
export function registerPlugin({ net, util }: typeof shaka): void {
  const { NetworkingEngine, HttpFetchPlugin } = net;
  if (registered.has(NetworkingEngine)) {
    return;
  }
  registered.add(NetworkingEngine);
  const plugin: shaka.extern.SchemePlugin = (
    uri,
    request,
    requestType,
    progressUpdated,
    headersReceived,
    config,
  ) => {
    const range = rangeOf(request);
    const wish = wishes.get(request);
    const isServed = wish?.nuwa.serves(uri) ?? false;
    if (wish === undefined || !isServed || range === undefined) {
      if (!isServed) {
        wish?.onOutside(uri);
      }
      return HttpFetchPlugin.parse(uri, request, requestType, progressUpdated, headersReceived, config);
    }
    const cancel = new AbortController();
    const { Severity, Category, Code } = util.Error;
    const { minBytesForProgressEvents: leastBytes = 0 } = config;
    const reports = new Reports(progressUpdated, leastBytes);
    const response = fetchFor(wish, uri, request, range, cancel.signal, reports).then(
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
  { nuwa, context }: Wish,
  uri: string,
  request: shaka.extern.Request,
  range: ByteRange | null,
  signal: AbortSignal,
  reports: Reports,
): Promise<shaka.extern.Response> {
  const startedMs = performance.now();
  const { url, status, headers, body } = await nuwa.fetch(uri, {
    ...(range === null ? {} : { range }),
    priority: priorityOf(context),
    headers: request.headers,
    credentials: request.allowCrossSiteCredentials ? "include" : "same-origin",
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

/** Of an initialization segment, and where Shaka does not say what it asks for, the highest. */
function priorityOf({ stream, segment }: shaka.extern.RequestContext = {}): number {
  return requestPriority({
    mediaType: stream?.type ?? null,
    startTime: segment?.getStartTime() ?? Number.NaN,
  });
}
