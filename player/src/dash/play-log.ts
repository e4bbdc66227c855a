/** What happened while a film played: switches, stalls, segments. Times are ms of the epoch, with a fraction. */

import { StampLog, type StampRecord } from "../session/stamp-record.ts";

export interface SwitchRecord {
  readonly atMs: number;
  /** null for the first representation. */
  readonly fromBitsPerSecond: number | null;
  readonly toBitsPerSecond: number;
  /** Name of the chosen rule (rules/registry.ts). */
  readonly rule: string;
  /** The rule of dash.js, or NuwaRule, that won; "start" for the first representation. */
  readonly decidedBy: string;
  /** The numbers with which the rule decided; null where it gave none. */
  readonly reason: Readonly<Record<string, string | number | boolean | null>> | null;
}

/** What rules decided for last, whether or not it was a change. */
export interface DecisionRecord {
  readonly bitsPerSecond: number;
  /** As in SwitchRecord. */
  readonly decidedBy: string;
  readonly reason: SwitchRecord["reason"];
}

export interface StallRecord {
  readonly startedAtMs: number;
  readonly durationMs: number;
}

export interface SegmentRecord {
  readonly mediaType: string;
  readonly index: number;
  readonly startSeconds: number;
  readonly durationSeconds: number;
  readonly bitsPerSecond: number;
  readonly bytes: number;
  readonly requestedAtMs: number;
  /** null where nobody told. */
  readonly firstByteAtMs: number | null;
  readonly endedAtMs: number;
  /** Of the time that it took: pauses of a second and more in which nothing came. */
  readonly silentMs: number;
}

/** What happened under every session and player of a film; the oldest of very many is forgotten. */
export class PlayLog {
  readonly stamps = new StampLog();
  readonly switches: SwitchRecord[] = [];
  readonly segments: SegmentRecord[] = [];

  records(): { stamps: StampRecord[]; switches: SwitchRecord[]; segments: SegmentRecord[] } {
    return {
      stamps: this.stamps.records(),
      switches: [...this.switches],
      segments: [...this.segments],
    };
  }
}

/** Enough for hours of film; older ones are dropped. */
const CAPACITY = 20_000;

/** Appends; forgets the oldest beyond the capacity. */
export function appendBounded<T>(list: T[], item: T, capacity = CAPACITY): void {
  list.push(item);
  if (list.length > capacity) {
    list.splice(0, list.length - capacity);
  }
}

/** The plain values of a rule's reason: some of dash.js's carry whole objects. */
export function plainReason(reason: unknown): SwitchRecord["reason"] {
  if (typeof reason !== "object" || reason === null) {
    return null;
  }
  const isPlain = (value: unknown): value is string | number | boolean | null =>
    value === null || ["string", "number", "boolean"].includes(typeof value);
  return Object.fromEntries(
    Object.entries(reason)
      .filter((entry): entry is [string, string | number | boolean | null] => isPlain(entry[1]))
      .map(([name, value]) => [name, typeof value === "number" && !Number.isFinite(value) ? null : value]),
  );
}
