import { existsSync } from "node:fs";
import { join } from "node:path";
import { Router } from "express";
import type { AppConfig } from "../config.ts";
import type { Scheme } from "../registry.ts";
import { sessionAddress } from "../session-address.ts";

/** Changes with the wire (transport/wire_format/PROTOCOL.md). */
export const PROTOCOL_VERSION = 1;

/** `GET /api/config`: what the page must know to begin. Never cached: addresses and certificates change. */
export function configRoute(config: AppConfig): Router {
  const { transport, link, registry, rules, defaults, presentation } = config;
  const router = Router();
  router.get("/", (request, response) => {
    const requestHostname = request.hostname ?? "localhost";
    response.set("Cache-Control", "no-store").json({
      protocolVersion: PROTOCOL_VERSION,
      transport: sessionAddress({ transport: transport(), link, requestHostname }),
      link: link?.state ?? null,
      links: link?.choices ?? [],
      schemes: registry.schemes.map((scheme) => toldWhetherTrained(scheme, config.policyDirectory)),
      presets: registry.presets,
      rules: rules.map(({ name, title, summary }) => ({ name, title, summary })),
      defaults,
      film: {
        title: presentation.title,
        manifestUrl: "/media/manifest.mpd",
        durationSeconds: presentation.durationSeconds,
      },
    });
  });
  return router;
}

/** Nobody shall take a learned scheme's heuristic for what it learned. */
function toldWhetherTrained(scheme: Scheme, policyDirectory: string | undefined): Scheme {
  const { policy, summary } = scheme;
  if (policy === null || policyDirectory === undefined) return scheme;
  if (existsSync(join(policyDirectory, `${policy}.json`))) return scheme;
  return { ...scheme, summary: `${summary} No policy has been trained for it yet: it runs its heuristic.` };
}
