import type { Socket } from "node:net";
import express, { type Request, type RequestHandler, Router } from "express";
import { BODY_LIMIT_BYTES } from "../../../player/src/telemetry/vocabulary.ts";
import { ownPagesOnly } from "../../access/own-pages.ts";
import { RateLimit } from "../../connections/rate-limit.ts";
import { Refusal } from "../../errors.ts";
import { HTTP_LIMITS } from "../../http-server.ts";
import { addressAllowance } from "../address-allowance.ts";
import { parseBatch, parseSessionId } from "../batch.ts";
import type { Telemetry } from "../telemetry.ts";

/** A page sends one batch in 5 s; one that was away for long sends many, one after the other. */
const LIMITS = { perSecond: 20, burst: 100, capacity: 10_000 };

/** `POST /sessions/SID/events`: answered once what it brings is on the disk. */
export function batchesRoute({ store, metrics }: Telemetry, origins: () => readonly string[]): Router {
  const router = Router();
  router.post(
    "/sessions/:sid/events",
    ownPagesAndPrograms(origins),
    boundRate(),
    addressAllowance(),
    jsonOnly,
    express.json({ limit: BODY_LIMIT_BYTES, strict: true, inflate: false, type: "application/json" }),
    async (request, response) => {
      const sid = parseSessionId(request.params.sid);
      const batch = parseOrCount(request.body, metrics.events);
      const { accepted, duplicates } = await store.accept({ sid, batch });
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

/** Programs send no Origin; pages do, and cannot forge it. */
function ownPagesAndPrograms(origins: () => readonly string[]): RequestHandler {
  const ownPages = ownPagesOnly(origins);
  return function refuseOtherPages(request, response, next) {
    if (request.headers.origin === undefined) next();
    else ownPages(request, response, next);
  };
}

const jsonOnly: RequestHandler = function refuseOtherTypes(request, _response, next) {
  if (request.is("application/json")) next();
  else next(new Refusal(415, "the body must be of type application/json"));
};

function boundRate(): RequestHandler {
  const nowMs = () => performance.now();
  const sessions = new RateLimit<string>({ ...LIMITS, nowMs });
  const connections = new RateLimit<Socket>({ ...LIMITS, capacity: HTTP_LIMITS.maxConnections, nowMs });
  return function refuseFloods(request: Request, _response, next) {
    const sid = String(request.params.sid).slice(0, 36);
    if (connections.take(request.socket) && sessions.take(sid)) next();
    else next(new Refusal(429, `more than ${LIMITS.perSecond} batches a second`, { retryAfterSeconds: 1 }));
  };
}
