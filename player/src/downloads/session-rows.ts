/** What a session was like, four times a second: the rows of its CSV. Units are in the names. */

import { Table, type Value } from "../charts/table.ts";
import type { SessionMoment } from "./session-moment.ts";

/** An hour; the oldest of a longer session are forgotten. */
const CAPACITY = 14_400;

const COLUMNS = {
  position_s: ({ currentSeconds }) => currentSeconds,
  link_bits_per_s: (_moment, linkBitsPerSecond) => linkBitsPerSecond,
  delivered_bits_per_s: ({ estimate }) => estimate?.deliveredBitsPerSecond,
  bandwidth_bits_per_s: ({ estimate }) => estimate?.bandwidthBitsPerSecond,
  dashjs_bits_per_s: ({ dashjsBitsPerSecond }) => dashjsBitsPerSecond,
  queueing_delay_ms: ({ estimate }) => estimate && 1000 * estimate.queueingDelaySeconds,
  target_delay_ms: ({ estimate }) => milliseconds(estimate?.targetDelaySeconds),
  window_bytes: ({ estimate }) => estimate?.windowBytes,
  congestion_window_bytes: ({ estimate }) => estimate?.cwndBytes,
  smoothed_rtt_ms: ({ estimate }) => milliseconds(estimate?.smoothedRttSeconds),
  k: ({ estimate }) => estimate?.k,
  buffer_s: ({ bufferSeconds }) => bufferSeconds,
  played_bits_per_s: ({ playedBitsPerSecond }) => playedBitsPerSecond,
  width_px: ({ video }) => video?.widthPixels,
  height_px: ({ video }) => video?.heightPixels,
  frames: ({ video }) => video?.frames,
  dropped_frames: ({ video }) => video?.droppedFrames,
  stalls: ({ stallCount }) => stallCount,
  stalled_ms: ({ stalledMs }) => stalledMs,
  over_http: ({ path }) => (path?.kind === "http" ? 1 : 0),
  late_ms: ({ estimate }) => milliseconds(estimate?.hostLateSeconds),
} as const satisfies Readonly<
  Record<string, (moment: SessionMoment, linkBitsPerSecond: number | null) => Value | undefined>
>;

export type SessionColumn = keyof typeof COLUMNS;

/** What held from a moment on. */
export interface SessionChange {
  readonly atMs: number;
  readonly scheme: string;
  readonly preset: string;
  readonly rule: string;
  readonly estimator: string;
  /** null while nothing is emulated. */
  readonly link: string | null;
}

export class SessionRows {
  readonly table = new Table<SessionColumn>(Object.keys(COLUMNS) as SessionColumn[]);
  readonly changes: SessionChange[] = [];

  /** The link's true capacity is null where nothing limits it. */
  add(moment: SessionMoment, linkBitsPerSecond: number | null): void {
    const { choices, link, atMs } = moment;
    if (choices === null) {
      return;
    }
    const { scheme, preset, rule, estimator } = choices;
    const change = { atMs, scheme, preset, rule, estimator, link: link?.name ?? null };
    if (!isSame(change, this.changes.at(-1))) {
      this.changes.push(change);
    }
    const row = Object.entries(COLUMNS).map(([name, of]) => [name, of(moment, linkBitsPerSecond) ?? null]);
    this.table.add(atMs / 1000, Object.fromEntries(row) as Record<SessionColumn, Value>);
    if (this.table.seconds.length > 1.1 * CAPACITY) {
      this.table.dropFirst(this.table.seconds.length - CAPACITY);
    }
  }

  /** What held at a moment. */
  changeAt(atMs: number): SessionChange | null {
    return this.changes.findLast((change) => change.atMs <= atMs) ?? null;
  }
}

const milliseconds = (seconds: number | null | undefined): Value => (seconds == null ? null : 1000 * seconds);

function isSame(one: SessionChange, other: SessionChange | undefined): boolean {
  return other !== undefined && JSON.stringify({ ...one, atMs: 0 }) === JSON.stringify({ ...other, atMs: 0 });
}
