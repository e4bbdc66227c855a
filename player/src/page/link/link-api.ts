import type { LinkState } from "../../options/server-config.ts";
import { SERVER_AWAY } from "../fetch-config.ts";
import { epochMs } from "../nuwa-stream.ts";
import type { LinkRequest } from "../query/link-request.ts";
import type { ServerClock } from "./server-clock.ts";

type LinkAnswer =
  | { readonly link: LinkState | null; readonly nowMs: number }
  | { readonly error: { readonly reason: string } };

/** The server cannot be asked now, or cannot change the link now: the same may be asked for again. */
export class LinkNotNow extends Error {
  override readonly name = "LinkNotNow";
}

/**
 * Asks the server to emulate a link, and answers what it emulates. Throws LinkNotNow, or an Error with one sentence for the
 * viewer.
 */
export async function putLink(request: LinkRequest): Promise<LinkState | null> {
  const { link } = await askForLink({
    method: "PUT",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(request),
  });
  return link;
}

export interface SeenLink {
  readonly link: LinkState | null;
  readonly clock: ServerClock;
}

/** The link as it is now, which other pages may have changed. Throws as putLink does. */
export async function fetchLink(signal: AbortSignal): Promise<SeenLink> {
  const askedAtMs = epochMs();
  const { link, nowMs } = await askForLink({ cache: "no-store", signal });
  const withinMs = (epochMs() - askedAtMs) / 2;
  return { link, clock: { aheadMs: nowMs - (askedAtMs + withinMs), withinMs } };
}

async function askForLink(init: RequestInit) {
  const response = await fetch("/api/link", init).catch((error: unknown) => {
    throw new LinkNotNow(SERVER_AWAY, { cause: error });
  });
  if (response.headers.get("Content-Type")?.startsWith("application/json") !== true) {
    throw new LinkNotNow(`The server answered ${response.status} to /api/link; its log says why.`);
  }
  const answer = (await response.json()) as LinkAnswer;
  if ("error" in answer) {
    const { reason } = answer.error;
    throw response.status >= 500 ? new LinkNotNow(reason) : new Error(reason);
  }
  return answer;
}
