import type { TelemetryBatch } from "./vocabulary.ts";

/** What became of a batch; `later` says after how long at the least, where the server has said so. */
export type Sent =
  | { readonly kind: "accepted" | "refused" }
  | { readonly kind: "later"; readonly afterMs: number };

/** What another attempt may mend though it is a 4xx: a server without telemetry (now), timeout, too early, too many. */
const TEMPORARY: readonly number[] = [404, 408, 425, 429];

/** A server that has not answered by then is asked again; it counts once what came twice. */
const ANSWER_MS = 10_000;

/** Sends a batch; it never rejects, since a server that is away is nothing unusual. */
export async function postBatch(
  send: typeof fetch,
  sid: string,
  batch: TelemetryBatch,
  { keepalive, answerMs = ANSWER_MS }: { readonly keepalive: boolean; readonly answerMs?: number },
): Promise<Sent> {
  const request = {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(batch),
    keepalive,
    signal: AbortSignal.timeout(answerMs),
  };
  let response: Response;
  try {
    response = await send(`/api/telemetry/sessions/${sid}/events`, request);
  } catch {
    return { kind: "later", afterMs: 0 }; // fetch rejects only where there was no answer
  }
  if (response.ok) return { kind: "accepted" };
  const { status } = response;
  if (status >= 400 && status < 500 && !TEMPORARY.includes(status)) return { kind: "refused" };
  const seconds = Number(response.headers.get("Retry-After"));
  return { kind: "later", afterMs: Number.isFinite(seconds) ? Math.min(seconds, 60) * 1000 : 0 };
}
