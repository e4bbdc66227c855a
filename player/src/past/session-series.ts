/** What a session reported, as lines over the time since its start. Pure. */

import type { Value } from "../charts/table.ts";
import type { StoredEvent } from "./session-api.ts";

/** In the charts' units: Mbit/s, ms, s. null for what was not reported. */
export interface SessionSample {
  readonly atSeconds: number;
  readonly estimate: Value;
  readonly delay: Value;
  readonly target: Value;
  readonly buffer: Value;
  readonly bitrate: Value;
}

export interface SessionPeriod {
  readonly fromSeconds: number;
  readonly toSeconds: number;
}

/** By name what holds from there; null for what stayed as it was. */
export interface SessionChange {
  readonly atSeconds: number;
  readonly scheme: string | null;
  readonly preset: string | null;
  readonly rule: string | null;
  readonly estimator: string | null;
}

export interface SessionSeries {
  /** Ascending. */
  readonly samples: readonly SessionSample[];
  readonly stalls: readonly SessionPeriod[];
  /** What was chosen anew while it played. */
  readonly changes: readonly SessionChange[];
  /** From the wish to play to the last report. */
  readonly durationSeconds: number;
}

/** @param events of one session, in order of time */
export function sessionSeries(events: readonly StoredEvent[]): SessionSeries {
  const first = events.find(({ e, sta }) => e === "ps" && sta === "s") ?? events[0];
  if (first === undefined) {
    return { samples: [], stalls: [], changes: [], durationSeconds: 0 };
  }
  const secondsAt = (ms: number): number => (ms - first.ts) / 1000;
  const samples = events.filter(({ e }) => e === "t").map((event) => sampleOf(event, secondsAt(event.ts)));
  const durationSeconds = secondsAt(events.at(-1)?.ts ?? first.ts);
  return {
    samples,
    stalls: stallsIn(events, secondsAt, durationSeconds),
    changes: changesIn(events, secondsAt),
    durationSeconds,
  };
}

/**
 * Each is told at its end, else lasts until the next state; one that did not end lasts until the last report, as in the server's
 * sums.
 */
function stallsIn(
  events: readonly StoredEvent[],
  secondsAt: (ms: number) => number,
  durationSeconds: number,
): SessionPeriod[] {
  const told = events.flatMap(({ ts, bsd }) =>
    bsd === null ? [] : [{ fromSeconds: secondsAt(ts - bsd), toSeconds: secondsAt(ts) }],
  );
  const states = events.filter(({ e, sta }) => e === "ps" && sta !== "q" && sta !== "f");
  const seen = states.flatMap(({ ts, sta }, place) => {
    const next = states[place + 1];
    return sta !== "r" || next === undefined
      ? []
      : [{ fromSeconds: secondsAt(ts), toSeconds: secondsAt(next.ts) }];
  });
  const ended = told.length > 0 ? told : seen;
  const last = states.at(-1);
  if (last?.sta !== "r") return ended;
  return [...ended, { fromSeconds: secondsAt(last.ts), toSeconds: durationSeconds }];
}

function sampleOf(event: StoredEvent, atSeconds: number): SessionSample {
  return {
    atSeconds,
    estimate: scaled(event.mtp, 1e-3),
    delay: event["nuwa-qd"],
    target: event["nuwa-td"],
    buffer: scaled(event.bl, 1e-3),
    bitrate: scaled(event.pb, 1e-3),
  };
}

/** The first choices are what the session is named by. */
function changesIn(
  events: readonly StoredEvent[],
  secondsAt: (ms: number) => number,
): SessionSeries["changes"] {
  const choices = events.filter(({ cen }) => cen === "nuwa-choices");
  return choices.slice(1).map((event, place) => {
    const newly = (name: "scheme" | "preset" | "rule" | "estimator"): string | null => {
      const key = `nuwa-${name}` as const;
      return event[key] === choices[place]?.[key] ? null : event[key];
    };
    return {
      atSeconds: secondsAt(event.ts),
      scheme: newly("scheme"),
      preset: newly("preset"),
      rule: newly("rule"),
      estimator: newly("estimator"),
    };
  });
}

const scaled = (value: number | null, factor: number): Value => (value === null ? null : value * factor);
