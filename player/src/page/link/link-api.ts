import { epochMs } from "../nuwa-stream.ts";
import type { LinkRequest } from "../query/link-request.ts";
import { type LinkState, SERVER_AWAY } from "../server-config.ts";

type LinkAnswer =
  | { readonly link: LinkState | null; readonly nowMs: number }
  | { readonly error: { readonly reason: string } };

/** Asks the server to emulate a link, and answers what it emulates. Throws an Error with one sentence for the viewer. */
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
  /** By how much the server's clock is ahead of this page's; true to half the request's time. */
  readonly serverAheadMs: number;
}

/** The link as it is now, which other pages may have changed. Throws as putLink does. */
export async function fetchLink(signal: AbortSignal): Promise<SeenLink> {
  const askedAtMs = epochMs();
  const { link, nowMs } = await askForLink({ cache: "no-store", signal });
  return { link, serverAheadMs: nowMs - (askedAtMs + epochMs()) / 2 };
}

async function askForLink(init: RequestInit) {
  const response = await fetch("/api/link", init).catch((error: unknown) => {
    throw new Error(SERVER_AWAY, { cause: error });
  });
  const answer = (await response.json()) as LinkAnswer;
  if ("error" in answer) {
    throw new Error(answer.error.reason);
  }
  return answer;
}
