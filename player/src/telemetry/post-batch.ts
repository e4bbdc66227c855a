import { retryAfterMs } from "../session/nobody-behind.ts";
import type { TelemetryBatch } from "./vocabulary.ts";

/** What became of a batch; `later` says after how long at the least, where the server has said so. */
export type Sent =
  | { readonly kind: "accepted" | "refused" }
  | { readonly kind: "later"; readonly afterMs: number };

/**
 * What speaks of the batch itself. Any other 4xx speaks of the server or of what stands before it, such as an origin that it
 * does not list yet or a login: another attempt may find that mended.
 */
const FINAL: readonly number[] = [400, 413, 422];

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
    redirect: "error" as const, // a login page's 200 would pass for the server's
    signal: AbortSignal.timeout(answerMs),
  };
  let response: Response;
  try {
    response = await send(`/api/telemetry/sessions/${sid}/events`, request);
  } catch {
    return { kind: "later", afterMs: 0 }; // fetch rejects only where there was no answer, or one of elsewhere
  }
  if (response.ok) return { kind: "accepted" };
  const { status } = response;
  if (FINAL.includes(status)) return { kind: "refused" };
  return { kind: "later", afterMs: Math.min(retryAfterMs(response.headers.get("Retry-After")), 60_000) };
}
