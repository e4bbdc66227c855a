import type { Request, RequestHandler } from "express";
import { BODY_LIMIT_BYTES } from "../../player/src/telemetry/vocabulary.ts";
import { addressGroup, isOwnMachine } from "../connections/address-group.ts";
import { RateLimit } from "../connections/rate-limit.ts";
import { Refusal } from "../errors.ts";

/**
 * In bytes of bodies. What comes at once is of pages that were away for long. A session costs the store more than the few
 * bytes that name it, in three indexes, so each one that a request names counts as a KiB at least.
 */
export const ALLOWANCE = {
  ...{ perSecond: 16 * 1024, burst: 8 * 1024 * 1024, capacity: 10_000 },
  sessionBytes: 1024,
};

/** Everybody may send telemetry, and what is sent is kept: no address other than this machine's may send heaps of it. */
export class AddressAllowance {
  readonly #addresses: RateLimit<string>;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#addresses = new RateLimit<string>({ ...ALLOWANCE, nowMs });
  }

  /** Before the body is read; as of one session. */
  readonly handler: RequestHandler = (request, _response, next) => {
    this.#take(request, bytesBefore(request));
    next();
  };

  /**
   * What the sessions that a report has turned out to name cost beyond the bytes of it.
   *
   * @throws Refusal 429
   */
  chargeSessions(request: Request, sessions: number): void {
    this.#take(request, Math.max(0, sessions * ALLOWANCE.sessionBytes - bytesBefore(request)));
  }

  #take(request: Request, sizeBytes: number): void {
    const sender = senderOf(request);
    if (sender === null || this.#addresses.take(sender, sizeBytes)) return;
    throw new Refusal(429, "more telemetry than one address may send", { retryAfterSeconds: 5 });
  }
}

/** Whose limits a request falls under: its address, behind a proxy what that says; null for this machine's own. */
export function senderOf({ ip = "" }: Request): string | null {
  return isOwnMachine(ip) ? null : addressGroup(ip);
}

function bytesBefore(request: Request): number {
  return Math.max(ALLOWANCE.sessionBytes, Number(request.headers["content-length"] ?? BODY_LIMIT_BYTES));
}
