import { Router } from "express";
import { ownPagesOnly } from "../../access/own-pages.ts";
import { Refusal } from "../../errors.ts";
import { parseSessionId } from "../batch.ts";
import { parseSelection } from "../selection.ts";
import { summarizeSessions } from "../summary.ts";
import type { Telemetry } from "../telemetry.ts";

/** `GET /sessions`: what came of each session, the last heard of first. `DELETE /sessions/SID`: erases one. */
export function sessionsRoute({ store, log }: Telemetry, origins: () => readonly string[]): Router {
  const router = Router();
  router.get("/sessions", async (request, response) => {
    const sessions = await summarizeSessions(store, parseSelection(request.query, null));
    response.set("Cache-Control", "no-store").json({ sessions });
  });
  router.delete("/sessions/:sid", ownPagesOnly(origins), async (request, response) => {
    const sid = parseSessionId(request.params.sid);
    if (!(await store.erase(sid))) throw new Refusal(404, "there is no such session", { field: "sid" });
    log.info(`the session ${sid} was erased from telemetry`);
    response.set("Cache-Control", "no-store").status(204).end();
  });
  return router;
}
