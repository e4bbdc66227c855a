import type { RequestHandler } from "express";
import type { AppConfig } from "../config.ts";
import { contentSecurityPolicy } from "./content-security-policy.ts";

/**
 * What every answer tells the browser: what pages may load, that types are as they are named, and cross-origin isolation.
 * Without isolation the browser's clock ticks in 100 us instead of 5 us: too coarse to measure queueing delay by packet. On
 * every answer, since a worker's script needs the headers as much as the page.
 */
export function responseHeaders(
  config: Pick<AppConfig, "films" | "origins" | "sessionHosts" | "cmcdCollector">,
): RequestHandler {
  const { films, origins, sessionHosts = () => [], cmcdCollector = null } = config;
  const collectors =
    cmcdCollector === null || cmcdCollector.startsWith("/") ? [] : [new URL(cmcdCollector).origin];
  return function setResponseHeaders(_request, response, next) {
    response.set({
      "Content-Security-Policy": contentSecurityPolicy({
        origins: origins(),
        sessionHosts: sessionHosts(),
        otherOrigins: [...films.otherOrigins, ...collectors],
      }),
      "Cross-Origin-Opener-Policy": "same-origin",
      "Cross-Origin-Embedder-Policy": "require-corp",
      "Cross-Origin-Resource-Policy": "same-origin",
      "X-Content-Type-Options": "nosniff",
      "Referrer-Policy": "no-referrer",
    });
    next();
  };
}
