import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { diskFullError, isNearlyFull } from "./disk-space.ts";
import { runFfmpeg } from "./run-ffmpeg.ts";
import type { ProbedTrack, TrackName } from "./tracks.ts";

/** Of which ffmpeg makes WebVTT; the others are pictures. */
const TEXT_CODECS: readonly string[] = ["ass", "mov_text", "ssa", "srt", "subrip", "text", "webvtt"];

/** One file of captions in a presentation. */
export interface CaptionFile extends TrackName {
  readonly file: string;
}

export function isText({ codec }: ProbedTrack): boolean {
  return TEXT_CODECS.includes(codec);
}

interface CaptionWork {
  readonly ffmpegPath: string;
  readonly inputArguments: readonly string[];
  readonly workingDirectory: string;
  readonly filmName: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Writes each track as WebVTT into the folder: before the pictures, so that they are whole from the first one on.
 *
 * @returns the files, without those that say nothing
 */
export async function writeCaptions(
  tracks: readonly ProbedTrack[],
  names: readonly TrackName[],
  work: CaptionWork,
): Promise<readonly CaptionFile[]> {
  if (tracks.length === 0) return [];
  const files = names.map((name, index) => ({ ...name, file: `captions-${index}.vtt` }));
  await runFfmpeg({
    ...work,
    arguments: [
      ...["-v", "error", "-y", ...work.inputArguments],
      ...tracks.flatMap(({ streamIndex }, index) => [
        ...["-map", `0:${streamIndex}`, "-c:s", "webvtt", "-f", "webvtt"],
        `captions-${index}.vtt`,
      ]),
    ],
  });
  const texts = await Promise.all(
    files.map(({ file }) => readFile(join(work.workingDirectory, file), "utf8")),
  );
  if (texts.some((text) => !text.startsWith("WEBVTT")) && (await isNearlyFull(work.workingDirectory)))
    throw diskFullError(work.filmName);
  return files.filter((_, index) => texts[index]?.includes("-->") === true);
}
