/** Feedback: datagram, receiver to server (transport/wire_format/PROTOCOL.md, section "Feedback"). */

import type { Feedback } from "../../../../cc/receiver/receiver-scheme.ts";
import {
  readUint64,
  requireUnsigned,
  UINT16_MAX,
  UINT32_MAX,
  viewDatagram,
  writeUint64,
} from "./big-endian.ts";
import { MalformedMessage } from "./malformed-message.ts";

const FEEDBACK_TYPE = 2;
const FEEDBACK_BYTES = 34;
const K_MILLI_RANGE = [1000, 9000] as const;

const FLAG_END_SLOW_START = 0b1;

/** What is measured is cut to what its field holds; throws MalformedMessage for what is no number, and for a wrong count. */
export function encodeFeedback(feedback: Feedback): Uint8Array<ArrayBuffer> {
  const { k, targetDelaySeconds } = feedback;
  const bytes = new Uint8Array(FEEDBACK_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, FEEDBACK_TYPE);
  view.setUint8(1, feedback.endSlowStart ? FLAG_END_SLOW_START : 0);
  view.setUint16(2, requireUnsigned(feedback.epoch, UINT16_MAX, "epoch"));
  view.setUint32(4, requireUnsigned(feedback.sequence, UINT32_MAX, "sequence"));
  view.setUint32(8, requireUnsigned(feedback.lastStampSequence, UINT32_MAX, "last_stamp_sequence"));
  view.setUint32(12, cut(feedback.windowBytes, 1, UINT32_MAX, "window_bytes"));
  const bandwidth = cut(feedback.bandwidthBitsPerSecond, 0, Number.MAX_SAFE_INTEGER, "bandwidth_bits_per_s");
  writeUint64(view, 16, bandwidth);
  view.setUint32(24, cut(feedback.queueingDelaySeconds * 1e6, 0, UINT32_MAX, "queueing_delay_us"));
  view.setUint16(28, k === null ? 0 : cut(k * 1000, ...K_MILLI_RANGE, "k_milli"));
  const targetDelayUs =
    targetDelaySeconds === null ? 0 : cut(targetDelaySeconds * 1e6, 1, UINT32_MAX, "target_delay_us");
  view.setUint32(30, targetDelayUs);
  return bytes;
}

function cut(value: number, minimum: number, maximum: number, field: string): number {
  return requireUnsigned(Math.min(maximum, Math.max(minimum, Math.round(value))), maximum, field);
}

/** The server's side of the wire, for tests. Throws MalformedMessage. */
export function decodeFeedback(bytes: Uint8Array): Feedback {
  const view = viewDatagram(bytes, FEEDBACK_TYPE, FEEDBACK_BYTES, "feedback");
  const flags = view.getUint8(1);
  if ((flags & ~FLAG_END_SLOW_START) !== 0) {
    throw new MalformedMessage(`a feedback's flags cannot be 0x${flags.toString(16)}`);
  }
  const windowBytes = view.getUint32(12);
  if (windowBytes === 0) {
    throw new MalformedMessage("window_bytes cannot be 0");
  }
  const [leastKMilli, mostKMilli] = K_MILLI_RANGE;
  const kMilli = view.getUint16(28) || null;
  if (kMilli !== null && (kMilli < leastKMilli || kMilli > mostKMilli)) {
    throw new MalformedMessage(`k_milli must lie in ${leastKMilli} to ${mostKMilli}, not ${kMilli}`);
  }
  const targetDelayUs = view.getUint32(30) || null;
  return {
    endSlowStart: flags === FLAG_END_SLOW_START,
    epoch: view.getUint16(2),
    sequence: view.getUint32(4),
    lastStampSequence: view.getUint32(8),
    windowBytes,
    bandwidthBitsPerSecond: readUint64(view, 16, "bandwidth_bits_per_s"),
    queueingDelaySeconds: view.getUint32(24) / 1e6,
    k: kMilli === null ? null : kMilli / 1000,
    targetDelaySeconds: targetDelayUs === null ? null : targetDelayUs / 1e6,
  };
}
