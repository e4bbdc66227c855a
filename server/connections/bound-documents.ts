import type { RequestHandler } from "express";
import { Refusal } from "../errors.ts";
import { RateLimit } from "./rate-limit.ts";
import { senderOf } from "./sender.ts";

/** A page asks for one at its start and before each session; many pages of a class may start together, behind one address. */
export const DOCUMENT_LIMITS = { perSecond: 20, burst: 300, capacity: 10_000 };

/** For documents that are made and compressed for each request, in milliseconds: few for one address but this machine's. */
export function boundDocuments(nowMs: () => number = () => performance.now()): RequestHandler {
  const senders = new RateLimit<string>({ ...DOCUMENT_LIMITS, nowMs });
  return function refuseFloods(request, _response, next) {
    const sender = senderOf(request);
    if (sender === null || senders.take(sender)) next();
    else next(new Refusal(429, "more documents than one address may ask for", { retryAfterSeconds: 1 }));
  };
}
