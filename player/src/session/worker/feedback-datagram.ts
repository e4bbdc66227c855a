import type { Feedback } from "../../../../cc/receiver/receiver-scheme.ts";
import { encodeFeedback, K_MILLI_RANGE } from "../wire/feedback.ts";

const UINT32_MAX = 2 ** 32 - 1;

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
