import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Request, Router } from "express";
import type { ServerConfig, SessionAddress } from "../../player/src/options/server-config.ts";
import { PROTOCOL_VERSION } from "../../player/src/session/session-url.ts";
import { makeSessionToken, TOKEN_LIFETIME_S } from "../access/session-token.ts";
import { knowsToken } from "../access/token.ts";
import type { PageHost } from "../addresses.ts";
import type { AppConfig } from "../config.ts";
import { LeastLoaded } from "../least-loaded.ts";
import { LINK_LIMITS } from "../link/link-limits.ts";
import type { Scheme } from "../registry.ts";
import { sessionAddress } from "../session-address.ts";

/** `GET /api/config`: what the page must know to begin. Never cached: addresses and certificates change. */
export function configRoute(config: AppConfig): Router {
  const { transport, link, registry, rules, defaults, films } = config;
  const leastLoaded = new LeastLoaded();
  const router = Router();
  router.get("/", (request, response) => {
    const told: ServerConfig = {
      protocolVersion: PROTOCOL_VERSION,
      transport: withToken(
        sessionAddress({
          transport: transport(),
          link,
          pageHost: pageHostOf(request, config.publicName),
          leastLoaded,
        }),
        config.sessionKey ?? null,
      ),
      link: link?.state ?? null,
      links: link?.choices ?? [],
      linkLimits: LINK_LIMITS,
      isLinkShared: link?.isForEach === false,
      schemes: registry.schemes.map((scheme) => toldWhetherTrained(scheme, config.policyDirectory)),
      schemesNotOffered: (registry.schemesNotOffered ?? []).map(({ name, title }) => ({ name, title })),
      presets: registry.presets,
      rules: rules.map(({ name, title, summary }) => ({ name, title, summary })),
      defaults,
      film: films.entries[0] ?? null,
      films: films.entries,
      mayChangeLink: link !== null && link !== undefined && knowsToken(request, config.token),
      cmcdCollector: config.cmcdCollector ?? null,
      takesTelemetry: config.telemetry !== undefined && config.telemetry.store.problem?.kind !== "locked",
      takesFilms: config.dropped !== undefined && knowsToken(request, config.token),
    };
    response.set("Cache-Control", "no-store").json(told);
  });
  return router;
}

/** What the page asks for before every session opens that one. */
function withToken(address: SessionAddress | null, key: Buffer | null): SessionAddress | null {
  if (address === null || key === null) return address;
  const expiresS = Math.round(Date.now() / 1000) + TOKEN_LIFETIME_S;
  return { ...address, sessionToken: makeSessionToken(key, expiresS) };
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
