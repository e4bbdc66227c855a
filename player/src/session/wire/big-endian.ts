import { MalformedMessage } from "./malformed-message.ts";

const TWO_POW_32 = 2 ** 32;

/** Reads an unsigned 64-bit integer; refuses values beyond 2^53 - 1, which a number cannot hold exactly. */
export function readUint64(view: DataView, offset: number, field: string): number {
  const value = view.getUint32(offset) * TWO_POW_32 + view.getUint32(offset + 4);
  if (!Number.isSafeInteger(value)) {
    throw new MalformedMessage(`${field} is ${value}, beyond 2^53 - 1`);
  }
  return value;
}

export function writeUint64(view: DataView, offset: number, value: number): void {
  view.setUint32(offset, Math.floor(value / TWO_POW_32));
  view.setUint32(offset + 4, value % TWO_POW_32);
}

/** Refuses a value that does not fit an unsigned field of `maximum`. */
export function requireUnsigned(value: number, maximum: number, field: string): number {
  if (!Number.isInteger(value) || value < 0 || value > maximum) {
    throw new MalformedMessage(`${field} must be an integer from 0 to ${maximum}, not ${value}`);
  }
  return value;
}

/** Seconds as the nearest of the wire's microseconds; in two steps, or those of a clock of decades would be rounded twice. */
export function microsecondsOf(seconds: number): number {
  return Math.trunc(seconds) * 1e6 + Math.round((seconds % 1) * 1e6);
}

/** A view of exactly one datagram of the given type and length. */
export function viewDatagram(bytes: Uint8Array, type: number, length: number, name: string): DataView {
  if (bytes.byteLength !== length) {
    throw new MalformedMessage(`a ${name} has ${length} bytes, not ${bytes.byteLength}`);
  }
  if (bytes[0] !== type) {
    throw new MalformedMessage(`a ${name} has type ${type}, not ${bytes[0]}`);
  }
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export const UINT16_MAX = 2 ** 16 - 1;
export const UINT32_MAX = TWO_POW_32 - 1;
