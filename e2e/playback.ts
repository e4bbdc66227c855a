import type { Playback, PlaybackSample, SwitchRecord } from "./inside/job.ts";

/** Between two samples the film stood still if it advanced by less than this share of the time that passed. */
const STANDSTILL_SHARE = 0.5;
/** The film jumped if it went back, or on by more than the time that passed and this. */
const JUMP_SECONDS = 0.5;

export interface Stall {
  startedAtMs: number;
  seconds: number;
}

export interface PlaybackSummary {
  /** From asking for the page to its first frame. */
  startupSeconds: number | null;
  /** After the first frame, by the probe's samples: right to a sample interval at either end. */
  stalls: Stall[];
  rebufferSeconds: number;
  /** How much of the film was shown. */
  playedSeconds: number;
  endBufferSeconds: number;
}

export function summarisePlayback(playback: Playback): PlaybackSummary {
  const { firstFrameAtMs, navigatedAtMs, samples } = playback;
  const shown = samples.filter((sample) => firstFrameAtMs !== null && sample.atMs >= firstFrameAtMs);
  const stalls: Stall[] = [];
  let playedSeconds = 0;
  let isStandingStill = false;
  for (const [before, after] of neighbours(shown)) {
    const passedSeconds = (after.atMs - before.atMs) / 1000;
    const advancedSeconds = after.mediaSeconds - before.mediaSeconds;
    const hasJumped = advancedSeconds < 0 || advancedSeconds > passedSeconds + JUMP_SECONDS;
    if (!hasJumped) playedSeconds += advancedSeconds;
    const standsStill =
      !hasJumped && !before.isEnded && !after.isEnded && advancedSeconds < STANDSTILL_SHARE * passedSeconds;
    if (standsStill) addStandstill(stalls, before.atMs, passedSeconds - advancedSeconds, isStandingStill);
    isStandingStill = standsStill;
  }
  return {
    startupSeconds: firstFrameAtMs === null ? null : (firstFrameAtMs - navigatedAtMs) / 1000,
    stalls,
    rebufferSeconds: stalls.reduce((sum, stall) => sum + stall.seconds, 0),
    playedSeconds,
    endBufferSeconds: shown.at(-1)?.bufferSeconds ?? 0,
  };
}

function addStandstill(stalls: Stall[], atMs: number, seconds: number, continues: boolean): void {
  const last = stalls.at(-1);
  if (continues && last !== undefined) last.seconds += seconds;
  else stalls.push({ startedAtMs: atMs, seconds });
}

/**
 * Bitrate of each segment that was entered, in the order of playback, Mbit/s.
 *
 * @param switches when the shown representation changed, oldest first
 */
export function playedBitrates(
  playback: Playback,
  switches: readonly SwitchRecord[],
  segmentSeconds: number,
): number[] {
  const bitrates: number[] = [];
  let lastSegment: number | null = null;
  for (const sample of playback.samples) {
    if (playback.firstFrameAtMs === null || sample.atMs < playback.firstFrameAtMs) continue;
    const segment = Math.floor(sample.mediaSeconds / segmentSeconds);
    if (segment === lastSegment) continue;
    const shown = shownAt(switches, sample.atMs);
    if (shown === null) continue;
    bitrates.push(shown / 1e6);
    lastSegment = segment;
  }
  return bitrates;
}

function shownAt(switches: readonly SwitchRecord[], atMs: number): number | null {
  return switches.findLast((change) => change.atMs <= atMs)?.toBitsPerSecond ?? null;
}

function neighbours(samples: readonly PlaybackSample[]): [PlaybackSample, PlaybackSample][] {
  return samples.slice(1).map((sample, index) => [samples[index] as PlaybackSample, sample]);
}
