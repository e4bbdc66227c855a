import { feedbackIntervalSeconds } from "../../../../cc/receiver/feedback-interval.ts";
import type {
  Feedback,
  Need,
  ReceiverScheme,
  ReceiverState,
  Stamp,
} from "../../../../cc/receiver/receiver-scheme.ts";

/** The session's scheme, which counts in seconds as all of cc/ does, for a session that counts in milliseconds. */
export class SchemeInMs {
  readonly #scheme: ReceiverScheme;

  constructor(scheme: ReceiverScheme) {
    this.#scheme = scheme;
  }

  /** It arrived at the received time, or up to `lateMs` before. */
  onStamp(stamp: Stamp, receivedMs: number, lateMs: number): void {
    this.#scheme.onStamp(stamp, receivedMs / 1000, lateMs / 1000);
  }

  /** Whether requests are open. */
  expectData(isExpecting: boolean): void {
    this.#scheme.expectData(isExpecting);
  }

  onNeed(need: Need, nowMs: number): void {
    this.#scheme.onNeed(need, nowMs / 1000);
  }

  /** Forgets what is relative to the clocks. */
  startEpoch(nowMs: number): void {
    this.#scheme.startEpoch(nowMs / 1000);
  }

  feedback(nowMs: number): Feedback | null {
    return this.#scheme.feedback(nowMs / 1000);
  }

  state(nowMs: number): ReceiverState {
    return this.#scheme.state(nowMs / 1000);
  }
}

/** How long after a feedback the next one may follow, by the newest stamp. */
export function feedbackIntervalMs(stamp: Stamp): number {
  return 1000 * feedbackIntervalSeconds(stamp);
}
