import type { Socket } from "node:net";
import type { Request, RequestHandler } from "express";
import { RateLimit } from "../../connections/rate-limit.ts";
import { Refusal } from "../../errors.ts";
import { HTTP_LIMITS } from "../../http-server.ts";

/** A page sends one batch in 5 s; one that was away for long sends many, one after the other. */
const LIMITS = { perSecond: 20, burst: 100, capacity: 10_000 };

/** Of a connection, and of a session where the path names one. */
export function boundRate(): RequestHandler {
  const nowMs = () => performance.now();
  const sessions = new RateLimit<string>({ ...LIMITS, nowMs });
  const connections = new RateLimit<Socket>({ ...LIMITS, capacity: HTTP_LIMITS.maxConnections, nowMs });
  return function refuseFloods(request: Request, _response, next) {
    const { sid } = request.params;
    const isOfSessionAllowed = () => sid === undefined || sessions.take(String(sid).slice(0, 36));
    if (connections.take(request.socket) && isOfSessionAllowed()) next();
    else next(new Refusal(429, `more than ${LIMITS.perSecond} batches a second`, { retryAfterSeconds: 1 }));
  };
}
