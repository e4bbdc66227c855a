import type { RequestHandler } from "express";
import { ownPagesOnly } from "../../access/own-pages.ts";

/** Programs send no Origin; pages do, and cannot forge it. */
export function ownPagesAndPrograms(origins: () => readonly string[]): RequestHandler {
  const ownPages = ownPagesOnly(origins);
  return function refuseOtherPages(request, response, next) {
    if (request.headers.origin === undefined) next();
    else ownPages(request, response, next);
  };
}
