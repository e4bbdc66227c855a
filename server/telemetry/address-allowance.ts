import type { Request, RequestHandler } from "express";
import { BODY_LIMIT_BYTES } from "../../player/src/telemetry/vocabulary.ts";
import { addressSite } from "../connections/address-group.ts";
import { RateLimit } from "../connections/rate-limit.ts";
import { addressOf, senderOf } from "../connections/sender.ts";
import { Refusal } from "../errors.ts";

const MIB = 1024 * 1024;
const DAY_S = 86_400;
const CAPACITY = 10_000;

/**
 * In bytes of bodies. What comes at once is of pages that were away for long. A session costs the store more than the few
 * bytes that name it, in three indexes, so each one that a request names counts as a KiB at least. A day's are those of 64
 * viewers for six hours: with them alone it takes an address a week to push out all that is kept. A site has a day's of its
 * own, else each of its 65,536 networks would have what comes at once anew.
 */
export const ALLOWANCE = {
  ...{ perSecond: 16 * 1024, burst: 8 * MIB },
  ...{ perDay: 256 * MIB, perDayOfSite: 512 * MIB },
  sessionBytes: 1024,
};

/** Everybody may send telemetry, and what is sent is kept: no address other than this machine's may send heaps of it. */
export class AddressAllowance {
  readonly #atOnce: RateLimit<string>;
  readonly #ofDay: RateLimit<string>;
  readonly #ofSiteAndDay: RateLimit<string>;

  constructor(nowMs: () => number = () => performance.now()) {
    const { perSecond, burst, perDay, perDayOfSite } = ALLOWANCE;
    const ofDay = (bytes: number) =>
      new RateLimit<string>({ perSecond: bytes / DAY_S, burst: bytes, capacity: CAPACITY, nowMs });
    this.#atOnce = new RateLimit({ perSecond, burst, capacity: CAPACITY, nowMs });
    this.#ofDay = ofDay(perDay);
    this.#ofSiteAndDay = ofDay(perDayOfSite);
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
    if (sender === null) return;
    if (!this.#atOnce.take(sender, sizeBytes))
      throw new Refusal(429, "more telemetry than one address may send", { retryAfterSeconds: 5 });
    const site = addressSite(addressOf(request));
    if (this.#ofDay.take(sender, sizeBytes) && this.#ofSiteAndDay.take(site, sizeBytes)) return;
    throw new Refusal(429, "more telemetry than one address may send in a day", { retryAfterSeconds: 60 });
  }
}

function bytesBefore(request: Request): number {
  return Math.max(ALLOWANCE.sessionBytes, Number(request.headers["content-length"] ?? BODY_LIMIT_BYTES));
}
