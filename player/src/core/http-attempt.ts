import { followSignals } from "../session/follow-signals.ts";
import { unansweredBy } from "../session/nobody-behind.ts";
import type { SegmentAnswer, SegmentProgress } from "./nuwa-types.ts";

interface HttpAttempt {
  readonly headers: Headers;
  readonly credentials: RequestCredentials;
  readonly signal: AbortSignal;
  /** Of what may be the film; throws nothing. */
  readonly onProgress: (progress: SegmentProgress) => void;
}

/** So long nothing may come, before the answer or between its bytes; a slow download may last as long as it takes. */
const SILENCE_LIMIT_MS = 10_000;

/** Nobody answered, or the answer broke off: another attempt may fare better. A TypeError, as `fetch` throws then. */
export class NobodyAnswered extends TypeError {
  override readonly name = "NobodyAnswered";
}

/**
 * One attempt by `fetch`. Throws the signal's reason, and NobodyAnswered; a server that is silent for too long is left with
 * that, too.
 */
export async function fetchOverHttp(url: string, { signal, ...asked }: HttpAttempt): Promise<SegmentAnswer> {
  const cancel = new AbortController();
  const endFollowing = followSignals(cancel, signal);
  const sentence = `${url}: nothing came over HTTP for ${SILENCE_LIMIT_MS / 1000} s`;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onHeard = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => cancel.abort(new NobodyAnswered(sentence)), SILENCE_LIMIT_MS);
  };
  onHeard();
  try {
    return await attempt(url, { ...asked, signal: cancel.signal }, onHeard);
  } finally {
    clearTimeout(timer);
    endFollowing();
  }
}

async function attempt(
  url: string,
  { onProgress, ...init }: HttpAttempt,
  onHeard: () => void,
): Promise<SegmentAnswer> {
  const response = await fetch(url, init).catch(throwNobodyAnswered);
  onHeard();
  const totalBytes = Number(response.headers.get("content-length") ?? 0);
  const onFilm = unansweredBy(response.status, null) === null ? onProgress : () => undefined;
  onFilm({ loadedBytes: 0, totalBytes });
  let loadedBytes = 0;
  const counted = response.body?.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        onHeard();
        loadedBytes += chunk.byteLength;
        onFilm({ loadedBytes, totalBytes });
        controller.enqueue(chunk);
      },
    }),
  );
  return {
    url: response.url,
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await new Response(counted).arrayBuffer().catch(throwNobodyAnswered),
    cameBy: "http",
  };
}

/** Of all TypeErrors these alone are the network's. */
function throwNobodyAnswered(error: unknown): never {
  throw error instanceof TypeError ? new NobodyAnswered(error.message, { cause: error }) : error;
}
