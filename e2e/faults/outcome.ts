import type { PageRecords, Playback } from "../inside/job.ts";
import { summarisePlayback } from "../playback.ts";

/** How the page says that its media comes, from then on. */
export interface PathChange {
  readonly atMs: number;
  readonly kind: string | null;
  readonly reason: string | null;
}

/** What was seen of a page that a fault befell. Times in ms of the epoch. */
export interface Observed {
  readonly struckAtMs: number;
  /** How long the page itself was stopped, and could show nothing. */
  readonly standstillSeconds: number;
  readonly playback: Playback;
  readonly segments: PageRecords["segments"];
  readonly paths: readonly PathChange[];
  readonly httpSegmentsAtMs: readonly number[];
  readonly notice: string | null;
  readonly problems: readonly string[];
}

export interface Outcome {
  readonly firstFrameSeconds: number | null;
  /** Since the fault, by the video element itself, but for what the page itself was stopped. */
  readonly stalledSeconds: number;
  readonly bufferAtStrikeSeconds: number;
  /** From the fault to the end of the first download that was finished with bytes from after it; null if there was none. */
  readonly bytesAfterSeconds: number | null;
  /** Played after the fault. */
  readonly playedSeconds: number;
  readonly isPlayingAtEnd: boolean;
  readonly endPath: string | null;
  /** The paths since the fault, the one it found included. */
  readonly paths: readonly string[];
  readonly httpSegments: number;
  readonly notice: string | null;
  readonly problems: readonly string[];
}

/** A download that was open at the fault may have had its last bytes on their way already. */
const ON_THEIR_WAY_MS = 250;
/** The film plays at the end if it advanced in the last samples. */
const LAST_SAMPLES = 10;

export function judge(observed: Observed): Outcome {
  const { struckAtMs, standstillSeconds, playback, segments, paths, httpSegmentsAtMs } = observed;
  const { startupSeconds, stalls } = summarisePlayback(playback);
  const stalledSeconds = stalls
    .filter(({ startedAtMs, seconds }) => startedAtMs + 1000 * seconds >= struckAtMs)
    .reduce((sum, { seconds }) => sum + seconds, 0);
  const after = playback.samples.filter(({ atMs }) => atMs >= struckAtMs);
  const since = paths.findLastIndex(({ atMs }) => atMs <= struckAtMs);
  const [early, late] = [playback.samples.at(-LAST_SAMPLES), playback.samples.at(-1)];
  return {
    firstFrameSeconds: startupSeconds,
    stalledSeconds: Math.max(0, stalledSeconds - standstillSeconds),
    bufferAtStrikeSeconds: after[0]?.bufferSeconds ?? 0,
    bytesAfterSeconds: bytesAfter(segments, struckAtMs),
    playedSeconds: (late?.mediaSeconds ?? 0) - (after[0]?.mediaSeconds ?? 0),
    isPlayingAtEnd: early !== undefined && late !== undefined && late.mediaSeconds > early.mediaSeconds,
    endPath: paths.at(-1)?.kind ?? null,
    paths: paths.slice(Math.max(0, since)).map(({ kind }) => kind ?? "none"),
    httpSegments: httpSegmentsAtMs.filter((atMs) => atMs >= struckAtMs).length,
    notice: observed.notice,
    problems: observed.problems,
  };
}

function bytesAfter(segments: Observed["segments"], struckAtMs: number): number | null {
  const ends = segments
    .filter(
      ({ requestedAtMs, endedAtMs }) =>
        requestedAtMs >= struckAtMs || endedAtMs >= struckAtMs + ON_THEIR_WAY_MS,
    )
    .map(({ endedAtMs }) => (endedAtMs - struckAtMs) / 1000);
  return ends.length === 0 ? null : Math.min(...ends);
}
