import type { RequestHandler } from "express";
import { Refusal } from "./errors.ts";

/**
 * Lets only pages of this server pass: a page of anybody else's, open in the same browser, can send requests here, too,
 * but cannot forge its `Origin`.
 */
export function ownPagesOnly(origins: () => readonly string[]): RequestHandler {
  return function refuseOtherPages(request, _response, next) {
    const origin = request.get("Origin");
    if (origin !== undefined && origins().includes(origin)) next();
    else next(new Refusal(403, "only pages of this server may do this"));
  };
}
