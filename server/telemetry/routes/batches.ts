import express, { type RequestHandler, Router } from "express";
import { BODY_LIMIT_BYTES } from "../../../player/src/telemetry/vocabulary.ts";
import { senderOf } from "../../connections/sender.ts";
import { Refusal } from "../../errors.ts";
import type { AddressAllowance } from "../address-allowance.ts";
import { parseBatch, parseSessionId } from "../batch.ts";
import type { Telemetry } from "../telemetry.ts";
import { boundRate } from "./bound-rate.ts";
import { answerPreflight, ownPagesAndPrograms } from "./own-pages-and-programs.ts";

/** `POST /sessions/SID/events`: answered once what it brings is on the disk. */
export function batchesRoute(
  { store, metrics }: Telemetry,
  origins: () => readonly string[],
  allowance: AddressAllowance,
): Router {
  const router = Router();
  router.options("/sessions/:sid/events", answerPreflight(origins));
  router.post(
    "/sessions/:sid/events",
    ownPagesAndPrograms(origins),
    boundRate(),
    allowance.handler,
    jsonOnly,
    express.json({ limit: BODY_LIMIT_BYTES, strict: true, inflate: false, type: "application/json" }),
    async (request, response) => {
      const sid = parseSessionId(request.params.sid);
      const batch = parseOrCount(request.body, metrics.events);
      const { accepted, duplicates } = await store.accept({ sid, batch }, senderOf(request));
      metrics.events.inc({ outcome: "accepted" }, accepted);
      metrics.events.inc({ outcome: "duplicate" }, duplicates);
      response.set("Cache-Control", "no-store").json({ accepted, duplicates });
    },
  );
  return router;
}

function parseOrCount(body: unknown, events: Telemetry["metrics"]["events"]) {
  try {
    return parseBatch(body);
  } catch (error) {
    const sent = typeof body === "object" && body !== null && "events" in body ? body.events : null;
    events.inc({ outcome: "refused" }, Array.isArray(sent) ? sent.length : 0);
    throw error;
  }
}

const jsonOnly: RequestHandler = function refuseOtherTypes(request, _response, next) {
  if (request.is("application/json")) next();
  else next(new Refusal(415, "the body must be of type application/json"));
};
