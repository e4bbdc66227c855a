import { enteredAtMs, seenDownload } from "../virtual-player/shown-segments.ts";
import type { Playback, PlaybackSample, SegmentRecord } from "./page-process/job.ts";

/** Between two samples the film stood still if it advanced by less than this share of the time that passed. */
const STANDSTILL_SHARE = 0.5;
/** The film jumped if it went back, or on by more than the time that passed and this. */
const JUMP_SECONDS = 0.5;

export interface Stall {
  startedAtMs: number;
  seconds: number;
  /** The least of the film that lay ahead of the playhead meanwhile: with much of it nothing waits for data. */
  leastBufferSeconds: number;
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
    if (standsStill) addStandstill(stalls, before, passedSeconds - advancedSeconds, isStandingStill);
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

function addStandstill(
  stalls: Stall[],
  { atMs, bufferSeconds }: PlaybackSample,
  seconds: number,
  continues: boolean,
): void {
  const last = stalls.at(-1);
  if (!continues || last === undefined) {
    stalls.push({ startedAtMs: atMs, seconds, leastBufferSeconds: bufferSeconds });
    return;
  }
  last.seconds += seconds;
  last.leastBufferSeconds = Math.min(last.leastBufferSeconds, bufferSeconds);
}

/**
 * Each video segment that was entered, in the order of playback. Where one was downloaded more than once, the last download
 * before it was entered is the one that was shown.
 */
export function playedSegments(playback: Playback, segments: readonly SegmentRecord[]): SegmentRecord[] {
  const video = segments.filter((segment) => segment.mediaType === "video");
  const played: SegmentRecord[] = [];
  let before: { atMs: number; positionSeconds: number } | undefined;
  for (const { atMs, mediaSeconds } of playback.samples) {
    if (playback.firstFrameAtMs === null || atMs < playback.firstFrameAtMs) continue;
    const sample = { atMs, positionSeconds: mediaSeconds };
    const downloads = video.filter(
      ({ startSeconds, durationSeconds, endedAtMs }) =>
        startSeconds <= mediaSeconds && mediaSeconds < startSeconds + durationSeconds && endedAtMs <= atMs,
    );
    const [first] = downloads;
    if (first !== undefined && first.index !== played.at(-1)?.index) {
      played.push(seenDownload(downloads, enteredAtMs(first.startSeconds, before, sample)));
    }
    before = sample;
  }
  return played;
}

function neighbours(samples: readonly PlaybackSample[]): [PlaybackSample, PlaybackSample][] {
  return samples.slice(1).map((sample, index) => [samples[index] as PlaybackSample, sample]);
}
