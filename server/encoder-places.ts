import type { Request, Response } from "express";
import { senderOf } from "./connections/sender.ts";

/** Each takes a thread of the few that also open files, and up to 4 MB. */
export const ENCODER_LIMITS = { atOnce: 8, atOncePerAddress: 4 };

/** Who has its answer compressed at the moment. */
export class EncoderPlaces {
  readonly #ofSender = new Map<string, number>();
  #held = 0;

  /** Until the answer is over. @returns false where too many are held, in all or by an address other than this machine's */
  take(
    request: Pick<Request, "ip" | "ips" | "socket">,
    response: Pick<Response, "closed" | "once">,
  ): boolean {
    const sender = senderOf(request);
    if (response.closed || this.#held >= ENCODER_LIMITS.atOnce) return false;
    if (sender !== null && this.#heldBy(sender) >= ENCODER_LIMITS.atOncePerAddress) return false;
    this.#count(sender, 1);
    response.once("close", () => this.#count(sender, -1));
    return true;
  }

  #heldBy(sender: string): number {
    return this.#ofSender.get(sender) ?? 0;
  }

  #count(sender: string | null, change: 1 | -1): void {
    this.#held += change;
    if (sender === null) return;
    const held = this.#heldBy(sender) + change;
    if (held === 0) this.#ofSender.delete(sender);
    else this.#ofSender.set(sender, held);
  }
}
