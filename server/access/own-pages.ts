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

function sentenceFor(origins: readonly string[]): string {
  const [own] = origins;
  const whoMay = "only pages of this server may do this";
  return own === undefined ? whoMay : `${whoMay}: a program sends the header "Origin: ${own}"`;
}
