import { Ajv2020 } from "ajv/dist/2020.js";
import {
  CMCD_VERSION,
  EVENT_WORDS,
  EVENTS_PER_BATCH,
  type EventWord,
  type TelemetryEvent,
} from "../../player/src/telemetry/vocabulary.ts";
import { Refusal } from "../errors.ts";
import { OWN_SCHEMA, schemaProblem } from "../schema-problem.ts";
import { parseSessionId } from "./batch.ts";
import { BATCH_SCHEMA, EVENT_SCHEMA } from "./batch-schema.ts";
import { decodeCmcdLine } from "./cmcd-line.ts";
import { eventTimeProblem } from "./event-time.ts";
import type { SessionBatch, StoredBatch } from "./store.ts";

/** Of CTA-5004-B, event mode: an event a line. */
export const CMCD_TYPE = "application/cmcd";

/** A player reports its own session, and a page may have a few players. Each one costs the store more than its line. */
export const SESSIONS_PER_REPORT = 8;

/** What a line says of its whole session. */
const SESSION_WORDS = [
  { key: "v", type: "integer" },
  ...(["cid", "sf", "st"] as const).map((key) => ({ key, type: "string" as const })),
] as const;

type OfSession = Pick<StoredBatch, "cid" | "sf" | "st">;
type Line = TelemetryEvent & Pick<StoredBatch, "v"> & { [Key in keyof OfSession]?: OfSession[Key] };

const { allOf: _ownRules, ...ANY_EVENT } = EVENT_SCHEMA;
const { v, cid, st } = BATCH_SCHEMA.properties;
const LINE_SCHEMA = {
  ...ANY_EVENT,
  required: [...ANY_EVENT.required, "v"],
  properties: { ...ANY_EVENT.properties, v, cid, sf: { enum: ["d", "h", "s", "o"] }, st },
} as const;
const validate = new Ajv2020({ ...OWN_SCHEMA, allErrors: true }).compile<Line>(LINE_SCHEMA);

export interface CmcdReport {
  readonly batches: SessionBatch[];
  /** Keys whose values they cannot have, once for each such value. */
  readonly leftOut: readonly string[];
}

/**
 * What players without our code report, by session. Keys that the vocabulary lacks are left out, and so are values that a key
 * cannot have: a player sends what it got wrong once with each line that follows.
 *
 * @param nowMs of the epoch
 * @throws Refusal 400 that names the line and the key
 */
export function parseCmcdReport(body: unknown, nowMs = Date.now()): CmcdReport {
  const lines = typeof body === "string" ? body.split("\n").filter((line) => line.trim() !== "") : [];
  if (lines.length === 0) throw new Refusal(400, "the report has no event: one stands on each line");
  if (lines.length > EVENTS_PER_BATCH) {
    throw new Refusal(400, `the report has ${lines.length} events: ${EVENTS_PER_BATCH} are the most`);
  }
  const sessions = new Map<string, { ofSession: OfSession; events: TelemetryEvent[] }>();
  const leftOut: string[] = [];
  lines.forEach((text, index) => {
    const cmcd = decodeCmcdLine(text, index + 1);
    const sid = parseSessionId(typeof cmcd.sid === "string" ? cmcd.sid.toLowerCase() : cmcd.sid);
    const { line, wrong } = readLine(cmcd, index + 1, nowMs);
    const { v: _version, cid = null, sf = null, st = null, ...event } = line;
    leftOut.push(...wrong);
    const known = sessions.get(sid);
    if (known === undefined) {
      if (sessions.size >= SESSIONS_PER_REPORT) throw tooManySessions();
      sessions.set(sid, { ofSession: { cid, sf, st }, events: [event] });
    } else if (known.events.every(({ sn }) => sn !== event.sn)) known.events.push(event);
  });
  const batches: SessionBatch[] = [...sessions].map(([sid, { ofSession, events }]) => ({
    sid,
    batch: { ...ofSession, v: CMCD_VERSION, dropped: 0, events },
  }));
  return { batches, leftOut };
}

function tooManySessions(): Refusal {
  const sentence = `the report names more than ${SESSIONS_PER_REPORT} sessions: report the others by themselves`;
  return new Refusal(400, sentence, { field: "sid" });
}

function readLine(
  cmcd: Readonly<Record<string, unknown>>,
  number: number,
  nowMs: number,
): { line: Line; wrong: ReadonlySet<string> } {
  const told = [...EVENT_WORDS, ...SESSION_WORDS].flatMap((word) => {
    const value = plain(cmcd[word.key], word);
    return value === undefined ? [] : [[word.key, value] as const];
  });
  const wrong = wrongKeys(Object.fromEntries(told));
  const line: unknown = Object.fromEntries(told.filter(([key]) => !wrong.has(key)));
  if (!validate(line)) {
    const { field, sentence } = schemaProblem(validate.errors?.[0], "the event");
    throw new Refusal(400, `line ${number}: ${sentence}`, { field });
  }
  const problem = eventTimeProblem(line.ts, nowMs);
  if (problem !== null) throw new Refusal(400, `line ${number}: ${problem}`, { field: "ts" });
  return { line, wrong };
}

/** Those that a line can do without. */
function wrongKeys(line: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  if (validate(line)) return new Set();
  const keys = (validate.errors ?? []).map(({ instancePath }) => instancePath.slice(1));
  const required: readonly string[] = LINE_SCHEMA.required;
  return new Set(keys.filter((key) => key in line && !required.includes(key)));
}

/** A list's one item that is of the video, or of the whole; rounded as CMCD has it. */
function plain(
  value: unknown,
  { type, multipleOf = 1 }: Pick<EventWord, "type" | "multipleOf">,
): string | number | boolean | undefined {
  const found = Array.isArray(value) ? value.find(isOfVideo) : value;
  const bare = unwrapped(found);
  if (typeof bare === "number" && type === "string") return String(bare); // dash.js's error codes
  if (typeof bare === "number" && type !== "number") return Math.round(bare / multipleOf) * multipleOf;
  return typeof bare === "string" || typeof bare === "number" || typeof bare === "boolean" ? bare : undefined;
}

function isOfVideo(item: unknown): boolean {
  const kinds = isItem(item) && item.params ? Object.keys(item.params) : [];
  return kinds.length === 0 || kinds.includes("v") || kinds.includes("av");
}

function unwrapped(item: unknown): unknown {
  return isItem(item) ? item.value : item;
}

function isItem(item: unknown): item is { value: unknown; params?: object | null } {
  return typeof item === "object" && item !== null && "value" in item;
}
