/** Shaka Player over a receiver of ours: `attachShaka(shaka, player, nuwa)` before `player.load()`. */

import type shaka from "shaka-player";
import type { NuwaCore } from "../core/nuwa.ts";

type Shaka = typeof shaka;

/** Shaka asks the plugin of a URL's scheme, one for the whole page: it looks who serves the URL. */
const SCHEMES = ["http", "https"] as const;
const open = new Set<NuwaCore>();
let isRegistered = false;

/**
 * Segments of `player` that the media server serves come by `nuwa`, and its choice of variant sees the receiver's
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
    const nuwa =
      requestType === NetworkingEngine.RequestType.SEGMENT && request.method === "GET"
        ? [...open].find((one) => one.serves(uri))
        : undefined;
    if (nuwa === undefined) {
      return HttpFetchPlugin.parse(uri, request, requestType, progressUpdated, headersReceived, config);
    }
    const cancel = new AbortController();
    const { Severity, Category, Code } = util.Error;
    const response = fetchFor(nuwa, uri, request, cancel.signal, progressUpdated).then(
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

async function fetchFor(
  nuwa: NuwaCore,
  uri: string,
  request: shaka.extern.Request,
  signal: AbortSignal,
  progressUpdated: shaka.extern.ProgressUpdated,
): Promise<shaka.extern.Response> {
  const startedMs = performance.now();
  let toldMs = startedMs;
  let toldBytes = 0;
  const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.Range ?? "");
  const { url, status, headers, body } = await nuwa.fetch(uri, {
    ...(range === null ? {} : { range: [Number(range[1]), Number(range[2])] }),
    signal,
    onProgress: ({ loadedBytes, totalBytes }) => {
      const nowMs = performance.now();
      if (loadedBytes > toldBytes) {
        progressUpdated(nowMs - toldMs, loadedBytes - toldBytes, totalBytes - loadedBytes);
      }
      toldMs = nowMs;
      toldBytes = loadedBytes;
    },
  });
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

/** Shaka's own manager, to which every download has lasted as long as the link is fast. */
function estimatingAbr({ abr }: Shaka, nuwa: NuwaCore): shaka.extern.AbrManager {
  class EstimatingAbr extends abr.SimpleAbrManager {
    override segmentDownloaded(
      deltaTimeMs: number,
      bytes: number,
      allowSwitch: boolean,
      request?: shaka.extern.Request,
      context?: shaka.extern.RequestContext,
    ): void {
      const bitsPerSecond = nuwa.estimate()?.bandwidthBitsPerSecond ?? null;
      const durationMs = bitsPerSecond === null ? deltaTimeMs : (8000 * bytes) / bitsPerSecond;
      super.segmentDownloaded(durationMs, bytes, allowSwitch, request, context);
    }
  }
  return new EstimatingAbr();
}
