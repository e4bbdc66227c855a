import { Router } from "express";
import { transportUrl } from "../addresses.ts";
import type { AppConfig } from "../config.ts";

/** Changes with the wire (transport/PROTOCOL.md). */
export const PROTOCOL_VERSION = 1;

/** `GET /api/config`: what the page must know to begin. Never cached: certificates change with each transport. */
export function configRoute({ transport, registry, rules, defaults, presentation }: AppConfig): Router {
  const router = Router();
  router.get("/", (request, response) => {
    const running = transport();
    response.set("Cache-Control", "no-store").json({
      protocolVersion: PROTOCOL_VERSION,
      transport: running && {
        url: transportUrl(running, request.hostname ?? "localhost"),
        certificateHashes: running.certificateHashes,
      },
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
