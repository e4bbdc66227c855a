import type { RequestHandler } from "express";
import { BODY_LIMIT_BYTES } from "../../player/src/telemetry/vocabulary.ts";
import { addressGroup, isOwnMachine } from "../connections/address-group.ts";
import { RateLimit } from "../connections/rate-limit.ts";
import { Refusal } from "../errors.ts";

/** In bytes of bodies. What comes at once is of pages that were away for long. */
export const ALLOWANCE = { perSecond: 16 * 1024, burst: 8 * 1024 * 1024, capacity: 10_000 };

/** Everybody may send telemetry, and what is sent is kept: no address other than this machine's may send heaps of it. */
export function addressAllowance(nowMs: () => number = () => performance.now()): RequestHandler {
  const addresses = new RateLimit<string>({ ...ALLOWANCE, nowMs });
  return function refuseHeaps(request, _response, next) {
    const address = request.ip ?? ""; // what a proxy says, behind one
    const sizeBytes = Number(request.headers["content-length"] ?? BODY_LIMIT_BYTES);
    if (isOwnMachine(address) || addresses.take(addressGroup(address), sizeBytes)) next();
    else next(new Refusal(429, "more telemetry than one address may send", { retryAfterSeconds: 5 }));
  };
}
