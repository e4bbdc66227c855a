/** Ping and pong: datagrams that say whether the other end lives (transport/wire_format/PROTOCOL.md, section "Heartbeat"). */

import { requireUnsigned, UINT32_MAX, viewDatagram } from "./big-endian.ts";
import { MalformedMessage } from "./malformed-message.ts";

export const PING_TYPE = 3;
const PONG_TYPE = 4;
const HEARTBEAT_BYTES = 8;

export interface HeartbeatMessage {
  /** Counts pings from 0, mod 2^32; a pong has that of its ping. */
  readonly sequence: number;
}

/** Throws MalformedMessage when the sequence does not fit the wire. */
export function encodePing(sequence: number): Uint8Array<ArrayBuffer> {
  return encode(PING_TYPE, sequence);
}

/** Whether a datagram claims to be a pong. */
export function isPong(bytes: Uint8Array): boolean {
  return bytes[0] === PONG_TYPE;
}

/** Throws MalformedMessage. */
export function decodePong(bytes: Uint8Array): HeartbeatMessage {
  return decode(bytes, PONG_TYPE, "pong");
}

/** The server's side of the wire, for tests. Throws MalformedMessage. */
export function encodePong(sequence: number): Uint8Array<ArrayBuffer> {
  return encode(PONG_TYPE, sequence);
}

/** The server's side of the wire, for tests. Throws MalformedMessage. */
export function decodePing(bytes: Uint8Array): HeartbeatMessage {
  return decode(bytes, PING_TYPE, "ping");
}

function encode(type: number, sequence: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEARTBEAT_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, type);
  view.setUint32(4, requireUnsigned(sequence, UINT32_MAX, "sequence"));
  return bytes;
}

function decode(bytes: Uint8Array, type: number, name: string): HeartbeatMessage {
  const view = viewDatagram(bytes, type, HEARTBEAT_BYTES, name);
  if (view.getUint8(1) !== 0 || view.getUint16(2) !== 0) {
    throw new MalformedMessage(`a ${name}'s flags and reserved bits must be 0`);
  }
  return { sequence: view.getUint32(4) };
}
