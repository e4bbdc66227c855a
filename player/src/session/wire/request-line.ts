/** The lines that lead a segment request and its response (transport/wire_format/PROTOCOL.md, section "Segment request"). */

import { MalformedMessage } from "./malformed-message.ts";

const REQUEST_LINE_MAX_BYTES = 2048;
export const PRIORITY_MAX = 2 ** 31 - 1;

/** First and last byte, both inclusive. */
export type ByteRange = readonly [firstByte: number, lastByte: number];

export interface SegmentRequest {
  /** Relative to the served directory, or `generated/N`. */
  readonly path: string;
  readonly range?: ByteRange | undefined;
  /** 0 is sent first; without it the server takes 2^30. */
  readonly priority?: number | undefined;
}

const RESPONSE_STATUSES = [200, 206, 400, 404, 416] as const;
export type ResponseStatus = (typeof RESPONSE_STATUSES)[number];

export interface ResponseHead {
  readonly status: ResponseStatus;
  /** Bytes that follow the head. */
  readonly lengthBytes: number;
  /** Size of the whole file; null where the server does not say. */
  readonly totalBytes: number | null;
  /** Media type; null where the server does not say. */
  readonly type: string | null;
  /** Why the request failed; null for 200 and 206. */
  readonly reason: string | null;
}

/** One line, newline included. Throws MalformedMessage. */
export function encodeSegmentRequest(request: SegmentRequest): Uint8Array<ArrayBuffer> {
  const { path, range, priority } = request;
  if (path === "") {
    throw new MalformedMessage("a segment request needs a path");
  }
  if (priority !== undefined && !isCount(priority, PRIORITY_MAX)) {
    throw new MalformedMessage(`priority must be an integer from 0 to ${PRIORITY_MAX}, not ${priority}`);
  }
  if (range !== undefined && !(isCount(range[0]) && isCount(range[1]) && range[0] <= range[1])) {
    throw new MalformedMessage(`range must be [first, last] with first <= last, not [${range.join(", ")}]`);
  }
  const line = new TextEncoder().encode(`${JSON.stringify({ path, range, priority })}\n`);
  if (line.byteLength > REQUEST_LINE_MAX_BYTES) {
    throw new MalformedMessage(
      `a request line has at most ${REQUEST_LINE_MAX_BYTES} bytes, not ${line.byteLength}`,
    );
  }
  return line;
}

/** Decodes the server's line, given without its newline. Throws MalformedMessage. */
export function decodeResponseHead(line: string): ResponseHead {
  const head = parseObject(line);
  const status = RESPONSE_STATUSES.find((known) => known === head.status);
  if (status === undefined) {
    throw new MalformedMessage(`the server answered with status ${JSON.stringify(head.status)}`);
  }
  const lengthBytes = head.length;
  if (!isCount(lengthBytes)) {
    throw new MalformedMessage(`the server's answer has length ${JSON.stringify(lengthBytes)}`);
  }
  const { total, type, reason } = head;
  return {
    status,
    lengthBytes,
    totalBytes: isCount(total) ? total : null,
    type: typeof type === "string" ? type : null,
    reason: typeof reason === "string" ? reason : null,
  };
}

function parseObject(line: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new MalformedMessage(`the server's answer is not JSON: ${line.slice(0, 80)}`, { cause: error });
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new MalformedMessage(`the server's answer is not an object: ${line.slice(0, 80)}`);
  }
  return { ...value };
}

function isCount(value: unknown, maximum = Number.MAX_SAFE_INTEGER): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= maximum;
}
