/** Feedback: datagram, receiver to server (transport/wire_format/PROTOCOL.md, section "Feedback"). */

import {
  readUint64,
  requireUnsigned,
  UINT16_MAX,
  UINT32_MAX,
  viewDatagram,
  writeUint64,
} from "./big-endian.ts";
import { MalformedMessage } from "./malformed-message.ts";

export const FEEDBACK_TYPE = 2;
export const FEEDBACK_BYTES = 34;
export const K_MILLI_RANGE = [1000, 9000] as const;

const FLAG_END_SLOW_START = 0b1;

export interface FeedbackMessage {
  readonly endSlowStart: boolean;
  /** Epoch of the last stamp seen. */
  readonly epoch: number;
  /** Counts feedbacks from 0, mod 2^32. */
  readonly sequence: number;
  readonly lastStampSequence: number;
  /** The window asked for; never 0. */
  readonly windowBytes: number;
  readonly bandwidthBitsPerSecond: number;
  readonly queueingDelayUs: number;
  /** k in thousandths; null where the scheme has none (0 on the wire). */
  readonly kMilli: number | null;
  /** null where the scheme has none (0 on the wire). */
  readonly targetDelayUs: number | null;
}

function requireMeaning({
  kMilli,
  windowBytes,
  targetDelayUs,
}: Pick<FeedbackMessage, "kMilli" | "windowBytes" | "targetDelayUs">): void {
  if (kMilli !== null && (kMilli < K_MILLI_RANGE[0] || kMilli > K_MILLI_RANGE[1])) {
    throw new MalformedMessage(
      `k_milli must lie in ${K_MILLI_RANGE[0]} to ${K_MILLI_RANGE[1]}, not ${kMilli}`,
    );
  }
  if (windowBytes === 0) {
    throw new MalformedMessage("window_bytes cannot be 0");
  }
  if (targetDelayUs === 0) {
    throw new MalformedMessage("target_delay_us cannot be 0: that says that there is none");
  }
}

/** Throws MalformedMessage when a field does not fit the wire. */
export function encodeFeedback(feedback: FeedbackMessage): Uint8Array<ArrayBuffer> {
  requireMeaning(feedback);
  const bytes = new Uint8Array(FEEDBACK_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, FEEDBACK_TYPE);
  view.setUint8(1, feedback.endSlowStart ? FLAG_END_SLOW_START : 0);
  view.setUint16(2, requireUnsigned(feedback.epoch, UINT16_MAX, "epoch"));
  view.setUint32(4, requireUnsigned(feedback.sequence, UINT32_MAX, "sequence"));
  view.setUint32(8, requireUnsigned(feedback.lastStampSequence, UINT32_MAX, "last_stamp_sequence"));
  view.setUint32(12, requireUnsigned(feedback.windowBytes, UINT32_MAX, "window_bytes"));
  const bandwidth = requireUnsigned(
    feedback.bandwidthBitsPerSecond,
    Number.MAX_SAFE_INTEGER,
    "bandwidth_bits_per_s",
  );
  writeUint64(view, 16, bandwidth);
  view.setUint32(24, requireUnsigned(feedback.queueingDelayUs, UINT32_MAX, "queueing_delay_us"));
  view.setUint16(28, feedback.kMilli ?? 0);
  view.setUint32(30, requireUnsigned(feedback.targetDelayUs ?? 0, UINT32_MAX, "target_delay_us"));
  return bytes;
}

/** The server's side of the wire, for tests. Throws MalformedMessage. */
export function decodeFeedback(bytes: Uint8Array): FeedbackMessage {
  const view = viewDatagram(bytes, FEEDBACK_TYPE, FEEDBACK_BYTES, "feedback");
  const flags = view.getUint8(1);
  if ((flags & ~FLAG_END_SLOW_START) !== 0) {
    throw new MalformedMessage(`a feedback's flags cannot be 0x${flags.toString(16)}`);
  }
  const windowBytes = view.getUint32(12);
  const kMilli = view.getUint16(28) || null;
  const targetDelayUs = view.getUint32(30) || null;
  requireMeaning({ kMilli, windowBytes, targetDelayUs });
  return {
    endSlowStart: flags === FLAG_END_SLOW_START,
    epoch: view.getUint16(2),
    sequence: view.getUint32(4),
    lastStampSequence: view.getUint32(8),
    windowBytes,
    bandwidthBitsPerSecond: readUint64(view, 16, "bandwidth_bits_per_s"),
    queueingDelayUs: view.getUint32(24),
    kMilli,
    targetDelayUs,
  };
}
