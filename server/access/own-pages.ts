import type { RequestHandler } from "express";
import { Refusal } from "../errors.ts";

/**
 * Lets only pages of this server pass: a page of anybody else's, open in the same browser, can send requests here, too,
 * but cannot forge its `Origin`.
 */
export function ownPagesOnly(origins: () => readonly string[]): RequestHandler {
  return function refuseOtherPages(request, _response, next) {
    const origin = request.get("Origin");
    if (origin !== undefined && origins().includes(origin)) next();
    else next(new Refusal(403, sentenceFor(origins())));
  };
}

/**
 * Lets no page of another site ask by an image or a frame: what it cannot read still costs the work. Links that somebody
 * follows pass, and so do programs, which send none of these headers (W3C Fetch Metadata Request Headers).
 */
export const refuseForeignEmbeds: RequestHandler = (request, _response, next) => {
  const isEmbedded =
    request.get("Sec-Fetch-Site") === "cross-site" && request.get("Sec-Fetch-Dest") !== "document";
  if (isEmbedded || request.get("Sec-Purpose") !== undefined)
    // what is fetched ahead does not say for which site
    next(new Refusal(403, "a page of another site may link to this, and not load it"));
  else next();
};

function sentenceFor(origins: readonly string[]): string {
  const [own] = origins;
  const whoMay = "only pages of this server may do this";
  return own === undefined ? whoMay : `${whoMay}: a program sends the header "Origin: ${own}"`;
}
