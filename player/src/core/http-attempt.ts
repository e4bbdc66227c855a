import type { ByteRange } from "../session/wire/request-line.ts";
import type { SegmentAnswer, SegmentProgress } from "./nuwa-types.ts";

interface HttpAttempt {
  readonly range: ByteRange | null;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal: AbortSignal;
  readonly onProgress?: ((progress: SegmentProgress) => void) | undefined;
}

/** So long nothing may come, before the answer or between its bytes; a slow download may last as long as it takes. */
const SILENCE_LIMIT_MS = 10_000;

/** Nothing came for too long: to whoever asks it is as if nobody had answered. */
export class SilentServer extends TypeError {
  override readonly name = "SilentServer";
}

/**
 * One attempt by `fetch`. Throws as it does: a TypeError where nobody answers, the signal's reason. A server that falls
 * silent is left, with SilentServer.
 */
export async function fetchOverHttp(url: string, { signal, ...asked }: HttpAttempt): Promise<SegmentAnswer> {
  const silence = new AbortController();
  const sentence = `${url}: nothing came over HTTP for ${SILENCE_LIMIT_MS / 1000} s`;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onHeard = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(new SilentServer(sentence)), SILENCE_LIMIT_MS);
  };
  onHeard();
  try {
    return await attempt(url, { ...asked, signal: AbortSignal.any([signal, silence.signal]) }, onHeard);
  } finally {
    clearTimeout(timer);
  }
}

async function attempt(
  url: string,
  { range, headers: asked, signal, onProgress }: HttpAttempt,
  onHeard: () => void,
): Promise<SegmentAnswer> {
  const headers = new Headers(asked);
  if (range !== null) {
    headers.set("range", `bytes=${range[0]}-${range[1]}`);
  }
  const response = await fetch(url, { headers, signal });
  onHeard();
  const totalBytes = Number(response.headers.get("content-length") ?? 0);
  onProgress?.({ loadedBytes: 0, totalBytes });
  let loadedBytes = 0;
  const counted = response.body?.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        onHeard();
        loadedBytes += chunk.byteLength;
        onProgress?.({ loadedBytes, totalBytes });
        controller.enqueue(chunk);
      },
    }),
  );
  return {
    url: response.url,
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await new Response(counted).arrayBuffer(),
    cameBy: "http",
  };
}
