import { feedbackIntervalSeconds } from "../../../../cc/receiver/feedback-interval.ts";
import type {
  Feedback,
  Need,
  ReceiverScheme,
  ReceiverState,
  Stamp,
} from "../../../../cc/receiver/receiver-scheme.ts";
import { encodeFeedback, K_MILLI_RANGE } from "../wire/feedback.ts";
import type { StampMessage } from "../wire/stamp.ts";

const UINT32_MAX = 2 ** 32 - 1;

/** The session's scheme, which counts in seconds as all of cc/ does, for a session that counts in milliseconds. */
export class SchemeInMs {
  readonly #scheme: ReceiverScheme;

  constructor(scheme: ReceiverScheme) {
    this.#scheme = scheme;
  }

  /** It arrived at the received time, or up to `lateMs` before. */
  onStamp(message: StampMessage, receivedMs: number, lateMs: number): void {
    this.#scheme.onStamp(toStamp(message), receivedMs / 1000, lateMs / 1000);
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
export function feedbackIntervalMs(message: StampMessage): number {
  return 1000 * feedbackIntervalSeconds(toStamp(message));
}

/** Microseconds of the wire to the seconds of cc. */
function toStamp(message: StampMessage): Stamp {
  const seconds = (microseconds: number | null): number | null =>
    microseconds === null ? null : microseconds / 1e6;
  return {
    sequence: message.sequence,
    epoch: message.epoch,
    phase: message.phase,
    sendTimeSeconds: message.sendTimeUs / 1e6,
    bytesSent: message.bytesSent,
    packetsSent: message.packetsSent,
    smoothedRttSeconds: seconds(message.smoothedRttUs),
    minRttSeconds: seconds(message.minRttUs),
    cwndBytes: message.cwndBytes,
    maxDatagramBytes: message.maxDatagramBytes,
    isAppLimited: message.isAppLimited,
  };
}

/** A feedback in the wire's integers. */
export function feedbackDatagram(feedback: Feedback): Uint8Array<ArrayBuffer> {
  return encodeFeedback({
    endSlowStart: feedback.endSlowStart,
    epoch: feedback.epoch,
    sequence: feedback.sequence,
    lastStampSequence: feedback.lastStampSequence,
    windowBytes: clampRound(feedback.windowBytes, 1, UINT32_MAX),
    bandwidthBitsPerSecond: clampRound(feedback.bandwidthBitsPerSecond, 0, Number.MAX_SAFE_INTEGER),
    queueingDelayUs: clampRound(feedback.queueingDelaySeconds * 1e6, 0, UINT32_MAX),
    kMilli: feedback.k === null ? null : clampRound(feedback.k * 1000, K_MILLI_RANGE[0], K_MILLI_RANGE[1]),
    targetDelayUs:
      feedback.targetDelaySeconds === null
        ? null
        : clampRound(feedback.targetDelaySeconds * 1e6, 1, UINT32_MAX),
  });
}

function clampRound(value: number, minimum: number, maximum: number): number {
  return Math.min(maximum, Math.max(minimum, Math.round(value)));
}
