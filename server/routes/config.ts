import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Request, Router } from "express";
import { knowsToken } from "../access/token.ts";
import type { PageHost } from "../addresses.ts";
import type { AppConfig } from "../config.ts";
import { LeastLoaded } from "../least-loaded.ts";
import type { Scheme } from "../registry.ts";
import { sessionAddress } from "../session-address.ts";

/** Changes with the wire (transport/wire_format/PROTOCOL.md). */
export const PROTOCOL_VERSION = 1;

/** `GET /api/config`: what the page must know to begin. Never cached: addresses and certificates change. */
export function configRoute(config: AppConfig): Router {
  const { transport, link, registry, rules, defaults, films } = config;
  const leastLoaded = new LeastLoaded();
  const router = Router();
  router.get("/", (request, response) => {
    response.set("Cache-Control", "no-store").json({
      protocolVersion: PROTOCOL_VERSION,
      transport: sessionAddress({
        transport: transport(),
        link,
        pageHost: pageHostOf(request, config.publicName),
        leastLoaded,
      }),
      link: link?.state ?? null,
      links: link?.choices ?? [],
      schemes: registry.schemes.map((scheme) => toldWhetherTrained(scheme, config.policyDirectory)),
      presets: registry.presets,
      rules: rules.map(({ name, title, summary }) => ({ name, title, summary })),
      defaults,
      film: films.entries[0] ?? null,
      films: films.entries,
      takesFilms: config.dropped !== undefined && knowsToken(request, config.token),
    });
  });
  return router;
}

/** A request over TLS comes by the public name, whatever a proxy makes of its `Host`. */
function pageHostOf(request: Request, publicName: string | null = null): PageHost {
  const hostname = request.hostname ?? "localhost";
  if (publicName !== null && (request.secure || hostname === publicName))
    return { hostname: publicName, isPublic: true };
  return { hostname, isPublic: false };
}

/** Nobody shall take a learned scheme's heuristic for what it learned. */
function toldWhetherTrained(scheme: Scheme, policyDirectory: string | undefined): Scheme {
  const { policy, summary } = scheme;
  if (policy === null || policyDirectory === undefined) return scheme;
  if (existsSync(join(policyDirectory, `${policy}.json`))) return scheme;
  return { ...scheme, summary: `${summary} No policy has been trained for it yet: it runs its heuristic.` };
}
