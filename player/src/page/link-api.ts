import type { LinkRequest } from "./link-request.ts";
import { type LinkState, SERVER_AWAY } from "./server-config.ts";

/** Asks the server to emulate a link. Throws an Error with one sentence for the viewer. */
export async function putLink(request: LinkRequest): Promise<LinkState | null> {
  const response = await fetch("/api/link", {
    method: "PUT",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(request),
  }).catch((error: unknown) => {
    throw new Error(SERVER_AWAY, { cause: error });
  });
  const answer = (await response.json()) as LinkAnswer;
  if ("error" in answer) {
    throw new Error(answer.error.reason);
  }
  return answer.link;
}

type LinkAnswer = { readonly link: LinkState | null } | { readonly error: { readonly reason: string } };
