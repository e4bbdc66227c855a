import { join } from "node:path";
import { parseRequest } from "./cli-arguments.ts";
import { findFfmpeg } from "./find-ffmpeg.ts";
import { measureQuality } from "./measure-quality.ts";
import { MediaError } from "./media-error.ts";
import { packageFilm } from "./package-film.ts";
import type { Presentation } from "./presentation.ts";
import { progressBar } from "./progress-bar.ts";
import { type FilmQuality, QUALITY_FILE } from "./quality-file.ts";

const HELP = `Turns a film into a DASH presentation.

  npm run package-film -- FILE [--quality] [--output DIR]
  npm run package-film -- --demo [--duration SECONDS] [--output DIR]
  npm run package-film -- FOLDER --quality

  FILE                 any film that ffmpeg reads
  --demo               generate the demo film instead
  --duration SECONDS   length of the demo film (120)
  --ladder RUNGS       rungs of your own, all made: 640x360@800k,1280x720@2.5M
  --quality            measure VMAF and SSIM of each rung and segment, into quality.json beside the film
  FOLDER               of a demo film that is packaged, to measure it
  --codec NAME         besides H.264, every rung in hevc or av1
  --output DIR         where presentations lie, each in a folder of its own (.build/media)
  --help               this text

Environment: NUWA_FFMPEG is the ffmpeg to use.
`;

const EXIT_USAGE_OR_MEDIA = 2;
const EXIT_INTERRUPTED = 130; // what shells report for Ctrl-C

function describe(presentation: Presentation): string {
  const rates = presentation.representations
    .filter(({ type }) => type === "video")
    .map(
      ({ height, bandwidthBitsPerSecond }) =>
        `${height}p ${Math.round(bandwidthBitsPerSecond / 1000)} kbit/s`,
    );
  return (
    `${presentation.title}: ${presentation.durationSeconds} s, ${rates.join(", ")}\n` +
    `${join(presentation.directory, presentation.manifestPath)}${presentation.reused ? " (as it was)" : ""}\n` +
    presentation.notes.map((note) => `${presentation.title}: ${note}\n`).join("")
  );
}

function describeQuality({ film, rungs }: FilmQuality, directory: string): string {
  const means = rungs.map(({ bitsPerSecond, vmaf }) => {
    const mean = vmaf.reduce((sum, value) => sum + value, 0) / vmaf.length;
    return `${Math.round(bitsPerSecond / 1000)} kbit/s ${mean.toFixed(1)}`;
  });
  return `${film}: mean VMAF of ${means.join(", ")}\n${join(directory, QUALITY_FILE)}\n`;
}

async function main(): Promise<number> {
  const interruption = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interruption.abort());
  try {
    const request = parseRequest(process.argv.slice(2));
    if (request === undefined) {
      process.stdout.write(HELP);
      return 0;
    }
    const { source, measuresQuality, ...how } = request;
    const tools = { ffmpegPath: await findFfmpeg(), signal: interruption.signal };
    let directory = source.kind === "folder" ? source.path : undefined;
    if (source.kind !== "folder") {
      const presentation = await packageFilm({
        ...how,
        ...tools,
        source,
        onProgress: progressBar(process.stderr),
      });
      process.stdout.write(describe(presentation));
      directory = presentation.directory;
    }
    if (measuresQuality && directory !== undefined) {
      const given = source.kind === "folder" ? undefined : source;
      const quality = await measureQuality({
        ...tools,
        directory,
        source: given,
        onProgress: progressBar(process.stderr),
      });
      process.stdout.write(describeQuality(quality, directory));
    }
    return 0;
  } catch (error) {
    if (interruption.signal.aborted) return EXIT_INTERRUPTED;
    if (!(error instanceof MediaError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return EXIT_USAGE_OR_MEDIA;
  }
}

process.exitCode = await main();
