import type { Socket } from "node:net";
import type { Request, RequestHandler } from "express";
import { addressGroup } from "../../connections/address-group.ts";
import { RateLimit } from "../../connections/rate-limit.ts";
import { Refusal } from "../../errors.ts";
import { HTTP_LIMITS } from "../../http-server.ts";

/** A page sends one batch in 5 s; one that was away for long sends many, one after the other. */
const LIMITS = { perSecond: 20, burst: 100, capacity: 10_000 };

/** Of a connection, or behind a proxy of a client's address; and of a session where the path names one. */
export function boundRate(): RequestHandler {
  const nowMs = () => performance.now();
  const sessions = new RateLimit<string>({ ...LIMITS, nowMs });
  const senders = new RateLimit<Socket | string>({ ...LIMITS, capacity: HTTP_LIMITS.maxConnections, nowMs });
  return function refuseFloods(request: Request, _response, next) {
    const { sid } = request.params;
    const isOfSessionAllowed = () => sid === undefined || sessions.take(String(sid).slice(0, 36));
    if (senders.take(senderOf(request)) && isOfSessionAllowed()) next();
    else next(new Refusal(429, `more than ${LIMITS.perSecond} batches a second`, { retryAfterSeconds: 1 }));
  };
}

/** A proxy sends the requests of many over one connection, and says whose they are. */
function senderOf({ ip, socket }: Request): Socket | string {
  return ip === undefined || ip === socket.remoteAddress ? socket : addressGroup(ip);
}
