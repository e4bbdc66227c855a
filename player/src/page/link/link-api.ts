import type { LinkRequest } from "../query/link-request.ts";
import { type LinkState, SERVER_AWAY } from "../server-config.ts";

type LinkAnswer = { readonly link: LinkState | null } | { readonly error: { readonly reason: string } };

/** Asks the server to emulate a link, and answers what it emulates. Throws an Error with one sentence for the viewer. */
export async function putLink(request: LinkRequest): Promise<LinkState | null> {
  return askForLink({
    method: "PUT",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(request),
  });
}

/** The link as it is now, which other pages may have changed. Throws as putLink does. */
export function fetchLink(signal: AbortSignal): Promise<LinkState | null> {
  return askForLink({ cache: "no-store", signal });
}

async function askForLink(init: RequestInit): Promise<LinkState | null> {
  const response = await fetch("/api/link", init).catch((error: unknown) => {
    throw new Error(SERVER_AWAY, { cause: error });
  });
  const answer = (await response.json()) as LinkAnswer;
  if ("error" in answer) {
    throw new Error(answer.error.reason);
  }
  return answer.link;
}
