/** `globalThis.nuwaStream`: what tests and measurements read of a page. Plain data; absolute times are ms of the epoch. */

import type { SegmentRecord, StallRecord, SwitchRecord } from "../dash/play-log.ts";
import type { SessionMoment } from "../downloads/session-moment.ts";
import type { LinkState } from "../options/server-config.ts";
import type { QoeSummary } from "../qoe/running-qoe.ts";
import type { SessionState } from "../session/session-state.ts";
import type { StampRecord } from "../session/stamp-record.ts";
import type { Choices } from "./query/choices.ts";

export interface EstimateRecord {
  readonly atMs: number;
  readonly receiverBitsPerSecond: number | null;
  readonly dashjsBitsPerSecond: number | null;
  readonly deliveredBitsPerSecond: number;
  readonly bufferSeconds: number;
  readonly queueingDelayMs: number;
  /** How late the receiver's thread woke at most in the second before. */
  readonly hostLateMs: number;
}

export interface Records {
  readonly stamps: StampRecord[];
  readonly estimates: EstimateRecord[];
  readonly switches: SwitchRecord[];
  readonly stalls: StallRecord[];
  readonly segments: SegmentRecord[];
}

export interface Snapshot extends SessionMoment {
  /** When the page began to load. */
  readonly openedAtMs: number;
  /** null before the first frame was shown. */
  readonly firstFrameAtMs: number | null;
  readonly crossOriginIsolated: boolean;
  readonly choices: Choices | null;
  readonly session: SessionState["kind"] | null;
  /** The sentence shown to the viewer; null when all is well. */
  readonly notice: string | null;
  /** The sentence that says what keeps the film from playing; null where nothing does. */
  readonly failure: string | null;
  readonly isPaused: boolean;
  /** Running, of what was shown so far; null where no film is played. */
  readonly qoe: QoeSummary | null;
  readonly link: LinkState | null;
}

export interface NuwaStream {
  /** Resolves with the first frame (of a download: with the session). Rejects with what keeps it from coming. */
  readonly ready: Promise<void>;
  snapshot(): Snapshot;
  records(): Records;
}

/** Side by side: the left film and the right one. */
export interface Comparison {
  /** Resolves with the first frames of both. */
  readonly ready: Promise<void>;
  readonly sides: readonly [NuwaStream, NuwaStream];
}

/** What the download benchmark resolves with. */
export interface BulkResult {
  readonly bytes: number;
  readonly startedAtMs: number;
  readonly firstByteAtMs: number;
  readonly endedAtMs: number;
  /** From the first byte to the last. */
  readonly megabitsPerSecond: number;
}

export interface BulkNuwaStream extends NuwaStream {
  readonly result: Promise<BulkResult>;
}

export const epochMs = (): number => performance.timeOrigin + performance.now();

export function publish(nuwaStream: NuwaStream | BulkNuwaStream | Comparison): void {
  Object.assign(globalThis, { nuwaStream });
}
