import { Refusal } from "../errors.ts";
import { parseSessionId } from "./batch.ts";

/** Numbers of a query that reads: where a reading begins, ends, and stops. */
export const QUERY_NUMBERS = [
  {
    name: "fromMs",
    fallback: 0,
    maximum: 8.64e15,
    summary: "events from this time on, ms of the epoch, or sessions whose last event is such",
  },
  {
    name: "toMs",
    fallback: 8.64e15,
    maximum: 8.64e15,
    summary: "events before this time, ms of the epoch, or sessions whose first event is such",
  },
  { name: "limit", fallback: 10_000, maximum: 1_000_000, summary: "no more than so many" },
] as const;

export interface Selection {
  /** null: of all sessions. */
  readonly sid: string | null;
  readonly fromMs: number;
  readonly toMs: number;
  readonly limit: number;
}

/**
 * @throws Refusal 400 that names the parameter
 */
export function parseSelection(query: Readonly<Record<string, unknown>>, sid: string | null): Selection {
  const known = QUERY_NUMBERS.map(({ name }) => name as string);
  const unknown = Object.keys(query).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const sentence = `${unknown.slice(0, 64)} is no parameter: there are ${known.join(", ")}`;
    throw new Refusal(400, sentence, { field: unknown.slice(0, 64) });
  }
  const [fromMs = 0, toMs = 0, limit = 0] = QUERY_NUMBERS.map((number) =>
    readNumber(query[number.name], number),
  );
  return { sid: sid === null ? null : parseSessionId(sid), fromMs, toMs, limit };
}

/** SQL of the condition; numbers and UUIDs only, since COPY takes no parameters. */
export function conditionOf({ sid, fromMs, toMs }: Selection): string {
  const time = `ts >= ${fromMs} AND ts < ${toMs}`;
  return sid === null ? time : `${time} AND sid = '${sid}'`;
}

function readNumber(given: unknown, { name, fallback, maximum }: (typeof QUERY_NUMBERS)[number]): number {
  if (given === undefined) return fallback;
  const value = Number(given);
  if (typeof given === "string" && /^\d{1,16}$/.test(given) && value <= maximum) return value;
  throw new Refusal(400, `${name} must be a whole number from 0 to ${maximum}`, { field: name });
}
