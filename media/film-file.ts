import { resolve } from "node:path";
import type { EncodeJob } from "./encode.ts";
import { chooseRenditions, type Rung } from "./ladder.ts";
import { MediaError } from "./media-error.ts";
import { parseProbe, titleOfFile } from "./probe.ts";
import { lastUsefulLine, readFfmpegOutput } from "./run-ffmpeg.ts";

export interface FilmFileJob {
  readonly job: EncodeJob;
  /** What the container promises, for the progress bar; undefined when it does not tell. */
  readonly expectedSeconds: number | undefined;
}

/** How to package a film file. Throws MediaError when it holds no film that ffmpeg can read. */
export async function filmFileJob(
  path: string,
  ffmpegPath: string,
  ladder: readonly Rung[],
  signal: AbortSignal | undefined,
): Promise<FilmFileJob> {
  const inputArguments = ["-protocol_whitelist", "file,crypto,data", "-i", `file:${resolve(path)}`];
  const printed = await readFfmpegOutput(ffmpegPath, ["-hide_banner", ...inputArguments], signal);
  const film = parseProbe(printed.text);
  if (film === undefined) {
    const lastWords = lastUsefulLine(printed.text.split("\n")) ?? "it says nothing about why";
    throw new MediaError(
      `ffmpeg cannot read ${path} (${lastWords}); give a film file, for example an MP4 or MKV.`,
    );
  }
  const video = film.video;
  if (video === undefined) {
    throw new MediaError(`${path} has no video stream; give a file that holds a film, not only sound.`);
  }
  if (film.durationSeconds === 0) {
    throw new MediaError(`${path} is zero seconds long; give a film with at least one picture.`);
  }
  const { numerator, denominator } = video.frameRate;
  return {
    expectedSeconds: film.durationSeconds,
    job: {
      inputArguments,
      // start_time=0: pictures that begin later than the sound would shift every segment boundary.
      videoChain: `[0:V:0]yadif=deint=interlaced,fps=${numerator}/${denominator}:start_time=0,format=yuv420p`,
      audioChain: film.hasAudio ? "[0:a:0]aresample=48000:async=1:first_pts=0,apad" : undefined,
      frameRate: video.frameRate,
      renditions: chooseRenditions(ladder, video),
      durationSeconds: undefined,
      title: titleOfFile(path),
    },
  };
}
