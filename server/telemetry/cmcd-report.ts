import type { Cmcd } from "@svta/cml-cmcd";
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
import { EVENT_SCHEMA } from "./batch-schema.ts";
import { decodeCmcdLine } from "./cmcd-line.ts";
import { eventTimeProblem } from "./event-time.ts";
import type { SessionBatch, StoredBatch } from "./store.ts";

/** Of CTA-5004-B, event mode: an event a line. */
export const CMCD_TYPE = "application/cmcd";

/** A player reports its own session, and a page may have a few players. Each one costs the store more than its line. */
export const SESSIONS_PER_REPORT = 8;

const { allOf: _ownRules, ...ANY_EVENT } = EVENT_SCHEMA;
const validate = new Ajv2020(OWN_SCHEMA).compile<TelemetryEvent>(ANY_EVENT);

/** Keys that say something of the whole session. */
type OfSession = Pick<StoredBatch, "cid" | "sf" | "st">;

/**
 * What players without our code report, by session. Keys that the vocabulary lacks are left out.
 *
 * @param nowMs of the epoch
 * @throws Refusal 400 that names the line and the key
 */
export function parseCmcdReport(body: unknown, nowMs = Date.now()): SessionBatch[] {
  const lines = typeof body === "string" ? body.split("\n").filter((line) => line.trim() !== "") : [];
  if (lines.length === 0) throw new Refusal(400, "the report has no event: one stands on each line");
  if (lines.length > EVENTS_PER_BATCH) {
    throw new Refusal(400, `the report has ${lines.length} events: ${EVENTS_PER_BATCH} are the most`);
  }
  const sessions = new Map<string, { ofSession: OfSession; events: TelemetryEvent[] }>();
  lines.forEach((line, index) => {
    const cmcd = decodeCmcdLine(line, index + 1);
    const sid = parseSessionId(cmcd.sid?.toLowerCase());
    const event = eventOf(cmcd, index + 1, nowMs);
    const known = sessions.get(sid);
    if (known === undefined) {
      if (sessions.size >= SESSIONS_PER_REPORT) throw tooManySessions();
      sessions.set(sid, { ofSession: ofSession(cmcd), events: [event] });
    } else if (known.events.every(({ sn }) => sn !== event.sn)) known.events.push(event);
  });
  return [...sessions].map(([sid, { ofSession, events }]) => ({
    sid,
    batch: { ...ofSession, v: CMCD_VERSION, dropped: 0, events },
  }));
}

function tooManySessions(): Refusal {
  const sentence = `the report names more than ${SESSIONS_PER_REPORT} sessions: report the others by themselves`;
  return new Refusal(400, sentence, { field: "sid" });
}

function ofSession({ cid, sf, st }: Cmcd): OfSession {
  return { cid: cid ?? null, sf: sf ?? null, st: st ?? null };
}

function eventOf(cmcd: Cmcd, line: number, nowMs: number): TelemetryEvent {
  const event: unknown = Object.fromEntries(
    EVENT_WORDS.flatMap((word: EventWord) => {
      const value = plain(cmcd[word.key as keyof Cmcd], word);
      return value === undefined ? [] : [[word.key, value]];
    }),
  );
  if (!validate(event)) {
    const { field, sentence } = schemaProblem(validate.errors?.[0], "the event");
    throw new Refusal(400, `line ${line}: ${sentence}`, { field });
  }
  const problem = eventTimeProblem(event.ts, nowMs);
  if (problem === null) return event;
  throw new Refusal(400, `line ${line}: ${problem}`, { field: "ts" });
}

/** A list's one item that is of the video, or of the whole; rounded as CMCD has it. */
function plain(value: unknown, { type, multipleOf }: EventWord): string | number | boolean | undefined {
  const found = Array.isArray(value) ? value.find(isOfVideo) : value;
  const bare = unwrapped(found);
  if (typeof bare === "number" && type !== "number") {
    return Math.round(bare / (multipleOf ?? 1)) * (multipleOf ?? 1);
  }
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
