/** Stamp: datagram, server to receiver (transport/wire_format/PROTOCOL.md, section "Stamp"). */

import type { Phase, Stamp } from "../../../../cc/receiver/receiver-scheme.ts";
import {
  microsecondsOf,
  readUint64,
  requireUnsigned,
  UINT16_MAX,
  UINT32_MAX,
  viewDatagram,
  writeUint64,
} from "./big-endian.ts";
import { MalformedMessage } from "./malformed-message.ts";

const STAMP_TYPE = 1;
const STAMP_BYTES = 42;

const FLAG_APP_LIMITED = 0b0001;
const PHASE_SHIFT = 1;
const PHASE_MASK = 0b11;
const FLAG_RTT_MEASURED = 0b1000;
const RESERVED_FLAGS = 0b1111_0000;

function isPhase(value: number): value is Phase {
  return value === 0 || value === 1 || value === 2;
}

/** Throws MalformedMessage. */
export function decodeStamp(bytes: Uint8Array): Stamp {
  const view = viewDatagram(bytes, STAMP_TYPE, STAMP_BYTES, "stamp");
  const flags = view.getUint8(1);
  const phase = (flags >> PHASE_SHIFT) & PHASE_MASK;
  if ((flags & RESERVED_FLAGS) !== 0 || !isPhase(phase)) {
    throw new MalformedMessage(`a stamp's flags cannot be 0x${flags.toString(16)}`);
  }
  const maxDatagramBytes = view.getUint16(40);
  if (maxDatagramBytes === 0) {
    throw new MalformedMessage("max_datagram_bytes cannot be 0");
  }
  const cwndBytes = view.getUint32(36);
  if (cwndBytes === 0) {
    throw new MalformedMessage("cwnd_bytes cannot be 0");
  }
  const hasRtt = (flags & FLAG_RTT_MEASURED) !== 0;
  return {
    isAppLimited: (flags & FLAG_APP_LIMITED) !== 0,
    phase,
    epoch: view.getUint16(2),
    sequence: view.getUint32(4),
    sendTimeSeconds: readUint64(view, 8, "send_time_us") / 1e6,
    bytesSent: readUint64(view, 16, "bytes_sent"),
    packetsSent: view.getUint32(24),
    smoothedRttSeconds: hasRtt ? view.getUint32(28) / 1e6 : null,
    minRttSeconds: hasRtt ? view.getUint32(32) / 1e6 : null,
    cwndBytes,
    maxDatagramBytes,
  };
}

/** The server's side of the wire, for tests and for tools that play the server. Throws MalformedMessage. */
export function encodeStamp(stamp: Stamp): Uint8Array<ArrayBuffer> {
  const hasRtt = stamp.smoothedRttSeconds !== null && stamp.minRttSeconds !== null;
  const bytes = new Uint8Array(STAMP_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, STAMP_TYPE);
  const appLimited = stamp.isAppLimited ? FLAG_APP_LIMITED : 0;
  view.setUint8(1, appLimited | (stamp.phase << PHASE_SHIFT) | (hasRtt ? FLAG_RTT_MEASURED : 0));
  view.setUint16(2, requireUnsigned(stamp.epoch, UINT16_MAX, "epoch"));
  view.setUint32(4, requireUnsigned(stamp.sequence, UINT32_MAX, "sequence"));
  writeUint64(
    view,
    8,
    requireUnsigned(microsecondsOf(stamp.sendTimeSeconds), Number.MAX_SAFE_INTEGER, "send_time_us"),
  );
  writeUint64(view, 16, requireUnsigned(stamp.bytesSent, Number.MAX_SAFE_INTEGER, "bytes_sent"));
  view.setUint32(24, requireUnsigned(stamp.packetsSent, UINT32_MAX, "packets_sent"));
  view.setUint32(
    28,
    requireUnsigned(microsecondsOf(stamp.smoothedRttSeconds ?? 0), UINT32_MAX, "smoothed_rtt_us"),
  );
  view.setUint32(32, requireUnsigned(microsecondsOf(stamp.minRttSeconds ?? 0), UINT32_MAX, "min_rtt_us"));
  view.setUint32(36, requireUnsigned(stamp.cwndBytes, UINT32_MAX, "cwnd_bytes"));
  view.setUint16(40, requireUnsigned(stamp.maxDatagramBytes, UINT16_MAX, "max_datagram_bytes"));
  return bytes;
}
