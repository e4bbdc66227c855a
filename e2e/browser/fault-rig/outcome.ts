import type { PageRecords, Playback } from "../page-process/job.ts";
import { type Stall, summarisePlayback } from "../playback.ts";
import type { CpuUse } from "../process/cpu-use.ts";
import type { Expected, Withheld } from "./fault.ts";
import type { TelemetryAccount } from "./telemetry-account.ts";

/** How the page says that its media comes, from then on. */
export interface PathChange {
  readonly atMs: number;
  readonly kind: string | null;
  readonly reason: string | null;
}

/** What was seen of a page that was struck by a fault. Times in ms of the epoch. */
export interface Observed {
  readonly struckAtMs: number;
  /** Until it was healed; 0 for one that lasts. */
  readonly lastedSeconds: number;
  /** What nobody could have, for so long from the fault on. */
  readonly withheld: { readonly what: Withheld; readonly seconds: number } | null;
  readonly playback: Playback;
  readonly segments: PageRecords["segments"];
  readonly paths: readonly PathChange[];
  readonly httpSegmentsAtMs: readonly number[];
  readonly notice: string | null;
  readonly problems: readonly string[];
  /** Of the browser and the product, since the fault or since the page was asked for; null where the system does not tell. */
  readonly cpuUse: CpuUse | null;
  readonly telemetry: TelemetryAccount;
}

export interface Outcome {
  readonly lastedSeconds: number;
  readonly firstFrameSeconds: number | null;
  /** Since the fault, by the video element itself: it waited for data, but for what nobody could have prevented. */
  readonly stalledSeconds: number;
  /** Since the fault: it stood still with data ahead, waiting for a decoder that the machine gave no time. */
  readonly heldUpSeconds: number;
  readonly bufferAtStrikeSeconds: number;
  /**
   * From the fault, or the end of what it withheld, to the end of the first download that was finished with bytes from after
   * that; null if there was none.
   */
  readonly bytesAfterSeconds: number | null;
  /** Played after the fault. */
  readonly playedSeconds: number;
  /** Or has come to the film's own end. */
  readonly isPlayingAtEnd: boolean;
  readonly endPath: string | null;
  /** From the fault until the media came over WebTransport again, and stayed so: 0 if it never left, null if it did not. */
  readonly webTransportAfterSeconds: number | null;
  /** The paths since the fault, the one it found included. */
  readonly paths: readonly string[];
  readonly httpSegments: number;
  readonly notice: string | null;
  readonly problems: readonly string[];
  readonly cpuUse: CpuUse | null;
  readonly telemetry: TelemetryAccount;
}

/** A download that was open at the fault may have had its last bytes on their way already. */
const ON_THEIR_WAY_MS = 250;
/** Of the playback probe: a shorter standstill cannot be told from the time between two samples. */
const SAMPLE_SECONDS = 0.1;
/** With so much ahead of the playhead nothing waits for data, as for the page's own judge of stalls. */
const DATA_AHEAD_SECONDS = 0.5;
/** The film plays at the end if it advanced in the last samples. */
export const LAST_SAMPLES = 10;

export function judge(observed: Observed): Outcome {
  const { struckAtMs, withheld, playback, segments, paths, httpSegmentsAtMs } = observed;
  const { startupSeconds, stalls } = summarisePlayback(playback);
  const since = stalls.filter(({ startedAtMs, seconds }) => startedAtMs + 1000 * seconds >= struckAtMs);
  const waitsForData = (stall: Stall) =>
    stall.leastBufferSeconds < DATA_AHEAD_SECONDS || isPagesOwn(stall, struckAtMs, withheld);
  const stalledSeconds = secondsOf(since.filter(waitsForData));
  const after = playback.samples.filter(({ atMs }) => atMs >= struckAtMs);
  const bufferSeconds = after[0]?.bufferSeconds ?? 0;
  const found = paths.findLastIndex(({ atMs }) => atMs <= struckAtMs);
  const [early, late] = [playback.samples.at(-LAST_SAMPLES), playback.samples.at(-1)];
  return {
    lastedSeconds: observed.lastedSeconds,
    firstFrameSeconds: startupSeconds,
    stalledSeconds: measurable(stalledSeconds - inevitableSeconds(withheld, bufferSeconds)),
    heldUpSeconds: measurable(secondsOf(since.filter((stall) => !waitsForData(stall)))),
    bufferAtStrikeSeconds: bufferSeconds,
    bytesAfterSeconds: bytesAfter(segments, struckAtMs + 1000 * (withheld?.seconds ?? 0)),
    playedSeconds: (late?.mediaSeconds ?? 0) - (after[0]?.mediaSeconds ?? 0),
    isPlayingAtEnd: late !== undefined && (late.isEnded || late.mediaSeconds > (early?.mediaSeconds ?? 0)),
    endPath: paths.at(-1)?.kind ?? null,
    webTransportAfterSeconds: webTransportAfter(paths, struckAtMs),
    paths: paths.slice(Math.max(0, found)).map(({ kind }) => kind ?? "none"),
    httpSegments: httpSegmentsAtMs.filter((atMs) => atMs >= struckAtMs).length,
    notice: observed.notice,
    problems: observed.problems,
    cpuUse: observed.cpuUse,
    telemetry: observed.telemetry,
  };
}

/** Errors in the console that the fault need not cause. */
export function unexplainedProblems({ problems }: Outcome, { consoleProblems }: Expected): string[] {
  return problems.filter((problem) => !consoleProblems.some((pattern) => pattern.test(problem)));
}

function secondsOf(stalls: readonly Stall[]): number {
  return stalls.reduce((sum, { seconds }) => sum + seconds, 0);
}

/** A page that was stopped stands still whatever it has; how long it was stopped is taken off afterwards. */
function isPagesOwn({ startedAtMs }: Stall, struckAtMs: number, withheld: Observed["withheld"]): boolean {
  return withheld?.what === "the page" && startedAtMs <= struckAtMs + 1000 * withheld.seconds;
}

function measurable(seconds: number): number {
  return seconds < SAMPLE_SECONDS ? 0 : seconds;
}

/** A film lives on its buffer while the network is gone; a page that stands still shows nothing whatever it has. */
function inevitableSeconds(withheld: Observed["withheld"], bufferSeconds: number): number {
  if (withheld === null) return 0;
  return withheld.what === "the page" ? withheld.seconds : Math.max(0, withheld.seconds - bufferSeconds);
}

function bytesAfter(segments: Observed["segments"], fromMs: number): number | null {
  const ends = segments
    .filter(
      ({ requestedAtMs, endedAtMs }) => requestedAtMs >= fromMs || endedAtMs >= fromMs + ON_THEIR_WAY_MS,
    )
    .map(({ endedAtMs }) => (endedAtMs - fromMs) / 1000);
  return ends.length === 0 ? null : Math.min(...ends);
}

function webTransportAfter(paths: readonly PathChange[], struckAtMs: number): number | null {
  const last = paths.at(-1);
  return last?.kind === "webtransport" ? Math.max(0, (last.atMs - struckAtMs) / 1000) : null;
}
