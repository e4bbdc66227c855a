import type { RequestHandler, Response } from "express";
import { ownPagesOnly } from "../../access/own-pages.ts";

type Origins = () => readonly string[];

const PREFLIGHT_SECONDS = 600;

/** Programs send no Origin; pages do, and cannot forge it. One of another listed origin may read the answer (CORS). */
export function ownPagesAndPrograms(origins: Origins): RequestHandler {
  const ownPages = ownPagesOnly(origins);
  return function refuseOtherPages(request, response, next) {
    const { origin } = request.headers;
    if (origin === undefined) {
      next();
      return;
    }
    if (origins().includes(origin)) letRead(response, origin);
    ownPages(request, response, next);
  };
}

/** Answers what a browser asks before a page of another listed origin sends a type that forms do not have. */
export function answerPreflight(origins: Origins): RequestHandler[] {
  return [
    ownPagesOnly(origins),
    function allowPost(request, response) {
      letRead(response, request.get("Origin") ?? "");
      response.set({
        "Access-Control-Allow-Methods": "POST",
        "Access-Control-Allow-Headers": "Content-Type",
        "Access-Control-Max-Age": String(PREFLIGHT_SECONDS),
      });
      response.status(204).end();
    },
  ];
}

function letRead(response: Response, origin: string): void {
  response.vary("Origin").set({
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Expose-Headers": "Retry-After",
  });
}
