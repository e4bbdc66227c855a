import type { ByteRange } from "../session/wire/request-line.ts";
import type { SegmentAnswer, SegmentProgress } from "./nuwa.ts";

interface HttpAttempt {
  readonly range: ByteRange | null;
  readonly signal: AbortSignal;
  readonly onProgress?: ((progress: SegmentProgress) => void) | undefined;
}

/** One attempt by `fetch`. Throws as it does: a TypeError where nobody answers, the signal's reason. */
export async function fetchOverHttp(
  url: string,
  { range, signal, onProgress }: HttpAttempt,
): Promise<SegmentAnswer> {
  const headers: Record<string, string> = range === null ? {} : { range: `bytes=${range[0]}-${range[1]}` };
  const response = await fetch(url, { headers, signal });
  const totalBytes = Number(response.headers.get("content-length") ?? 0);
  onProgress?.({ loadedBytes: 0, totalBytes });
  let loadedBytes = 0;
  const counted = response.body?.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
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
