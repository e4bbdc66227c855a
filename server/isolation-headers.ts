import type { RequestHandler } from "express";

/**
 * Cross-origin isolation, without which the browser's clock ticks in 100 us instead of 5 us: too coarse to measure
 * queueing delay by packet. On every answer, since a worker's script needs the headers as much as the page.
 */
export function isolationHeaders(): RequestHandler {
  return function setIsolationHeaders(_request, response, next) {
    response.set({
      "Cross-Origin-Opener-Policy": "same-origin",
      "Cross-Origin-Embedder-Policy": "require-corp",
      "Cross-Origin-Resource-Policy": "same-origin",
      "X-Content-Type-Options": "nosniff",
      "Referrer-Policy": "no-referrer",
    });
    next();
  };
}
