/** What the address of a download may say. Pure. */

import { type ParameterName, type UnknownParameters, unknownTo } from "../page/query/parameters.ts";

const DEFAULT_BYTES = 30_000_000;
const MAXIMUM_BYTES = 1e12; // transport/wire_format/PROTOCOL.md
const SHARED = ["scheme", "preset", "k", "target_delay_ms"] as const satisfies readonly ParameterName[];

/** As `unknownParameters` of one film. */
export function unknownBulkParameters(query: URLSearchParams): UnknownParameters | null {
  return unknownTo(query, [...SHARED, "bytes"]);
}

/** How many to download. Throws an Error with one sentence for the viewer. */
export function bytesWanted(query: URLSearchParams): number {
  const text = query.get("bytes");
  const bytes = text === null ? DEFAULT_BYTES : Number(text);
  if (!Number.isInteger(bytes) || bytes < 1 || bytes > MAXIMUM_BYTES) {
    throw new Error(`bytes must be a whole number from 1 to ${MAXIMUM_BYTES}, not ${text}.`);
  }
  return bytes;
}
