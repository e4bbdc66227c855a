import { Router } from "express";
import { parseSelection } from "../selection.ts";
import { summarizeSessions } from "../summary.ts";
import type { Telemetry } from "../telemetry.ts";

/** `GET /sessions`: what came of each session, the newest first. */
export function sessionsRoute({ store }: Telemetry): Router {
  const router = Router();
  router.get("/sessions", async (request, response) => {
    const sessions = await summarizeSessions(store, parseSelection(request.query, null));
    response.set("Cache-Control", "no-store").json({ sessions });
  });
  return router;
}
