import { Router } from "express";
import type { AppConfig } from "../config.ts";
import { sessionAddress } from "../session-address.ts";

/** Changes with the wire (transport/PROTOCOL.md). */
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
      schemes: registry.schemes,
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
