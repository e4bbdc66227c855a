import { type EncodeJob, segmentSecondsOf } from "./encode.ts";
import { type FfmpegRun, runFfmpeg } from "./run-ffmpeg.ts";

interface EncodedLength {
  /** Of the pictures. */
  readonly durationSeconds: number;
  /** What the container promises; undefined where it does not tell. */
  readonly expectedSeconds: number | undefined;
}

/**
 * How long the sound goes on after the last picture, of a film that is mostly sound: a song with its cover. 0 for others, which
 * it would not be worth to encode twice. Throws as `runFfmpeg`.
 */
export async function soundAloneSeconds(
  job: EncodeJob,
  { durationSeconds, expectedSeconds = 0 }: EncodedLength,
  run: Omit<FfmpegRun, "arguments" | "onEncodedSeconds">,
): Promise<number> {
  const isWorthwhile = (aloneSeconds: number) =>
    aloneSeconds > Math.max(durationSeconds, segmentSecondsOf(job));
  if (!isWorthwhile(expectedSeconds - durationSeconds) || job.audio.length === 0) return 0;
  let soundSeconds = 0;
  await runFfmpeg({
    ...run,
    arguments: ["-v", "error", ...job.inputArguments, "-map", "0:a", "-c", "copy", "-f", "null", "-"],
    onEncodedSeconds: (seconds) => {
      soundSeconds = Math.max(soundSeconds, seconds);
    },
  });
  const aloneSeconds = Math.min(soundSeconds, expectedSeconds) - durationSeconds;
  return isWorthwhile(aloneSeconds) ? aloneSeconds : 0; // a film that is cut off has no more sound than pictures
}

/** The same film, whose last picture stands for so long. */
export function withLastPictureHeld(job: EncodeJob, seconds: number): EncodeJob {
  const held = `tpad=stop_mode=clone:stop_duration=${seconds.toFixed(3)}`;
  return { ...job, videoChain: `${job.videoChain},${held}` };
}
