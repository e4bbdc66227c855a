/**
 * How good each segment of each rung looks beside its source: VMAF (Li et al., Netflix, 2016) and SSIM (Wang et al., 2004), by
 * ffmpeg's libvmaf. Both are compared at the size of the largest rung, as a screen shows them.
 */

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { EncodeJob } from "./encode.ts";
import { ffmpegVersion, requireFilter } from "./find-ffmpeg.ts";
import type { FrameRate } from "./frame-rate.ts";
import { parseManifest } from "./manifest.ts";
import { MediaError } from "./media-error.ts";
import { jobOf, type PackagingProgress } from "./package-film.ts";
import { MANIFEST_FILE, type PresentationRecord, readRecord } from "./presentation.ts";
import {
  type FilmQuality,
  keepUnfinished,
  measuredBefore,
  publishQuality,
  type QualityMeasure,
  type RungQuality,
} from "./quality-file.ts";
import { runFfmpeg } from "./run-ffmpeg.ts";
import { type FilmSource, fingerprintFile } from "./source.ts";

/** For a screen of 1080 lines at three times its height. */
const MODEL = "vmaf_v0.6.1";
/** A dozen pictures a segment take a third of the time of all, and a segment's mean moves by a point at most or little more. */
const EVERY_PICTURES = 4;
const LOG_FILE = "vmaf.json";
const DIGITS = 4;

export interface MeasureQualityOptions {
  /** Of the presentation. */
  readonly directory: string;
  /** What it was made from; a demo film's can be drawn again. */
  readonly source?: FilmSource | undefined;
  readonly ffmpegPath: string;
  readonly onProgress?: ((progress: PackagingProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Measures a packaged film, a rung at a time, into quality.json beside it; rungs that were measured are not measured again.
 *
 * Throws MediaError (one sentence) without the film's source or without libvmaf, and the signal's reason when it is aborted:
 * whole rungs stay, and the next call goes on.
 */
export async function measureQuality(options: MeasureQualityOptions): Promise<FilmQuality> {
  const { ffmpegPath, onProgress, signal } = options;
  const directory = resolve(options.directory);
  const record = await readRecord(directory);
  if (record === undefined)
    throw new MediaError(
      `${directory} holds no film that was packaged here; give the film's file with --quality.`,
    );
  const source = await sourceOf(record, directory, options.source);
  await requireFilter("libvmaf", ffmpegPath);
  const manifest = parseManifest(await readFile(join(directory, MANIFEST_FILE), "utf8"));
  const rungs = manifest.representations.filter(({ type }) => type === "video");
  const largest = rungs.reduce((best, rung) => ((rung.width ?? 0) > (best.width ?? 0) ? rung : best));
  const measure: QualityMeasure = {
    schema: 1,
    model: MODEL,
    width: largest.width ?? 0,
    height: largest.height ?? 0,
    everyPictures: EVERY_PICTURES,
    ffmpegVersion: await ffmpegVersion(ffmpegPath),
  };
  const segmentSeconds = rungs[0]?.segmentSeconds ?? [];
  const known = await measuredBefore(directory, measure);
  let quality: FilmQuality = { film: record.title, ...measure, segmentSeconds, rungs: known };
  const isKnown = (id: string): boolean => quality.rungs.some(({ representation }) => representation === id);
  if (rungs.every(({ id }) => isKnown(id))) {
    onProgress?.({ step: "quality already measured", ratio: 1 });
    return quality;
  }
  const working = await mkdtemp(join(tmpdir(), "nuwa-quality-"));
  try {
    const { ladder, keepsAllRungs, codec } = record.identity;
    const { job } = await jobOf(working, { source, ffmpegPath, ladder, keepsAllRungs, codec, signal });
    for (const [place, { id, bandwidthBitsPerSecond }] of rungs.entries()) {
      if (isKnown(id)) continue;
      const step = `measuring ${record.title}, rung ${place + 1} of ${rungs.length}`;
      await runFfmpeg({
        ffmpegPath,
        arguments: comparison(job, place, join(directory, `media_${id}.m3u8`), measure),
        workingDirectory: working,
        filmName: record.title,
        onEncodedSeconds: (seconds) =>
          onProgress?.({
            step,
            ratio: (place + Math.min(0.99, seconds / record.durationSeconds)) / rungs.length,
          }),
        signal,
      });
      const log = await readFile(join(working, LOG_FILE), "utf8");
      const measured: RungQuality = {
        representation: id,
        bitsPerSecond: bandwidthBitsPerSecond,
        ...meansOfSegments(log, segmentSeconds, job.frameRate),
      };
      quality = { ...quality, rungs: [...quality.rungs, measured] };
      await keepUnfinished(directory, quality);
    }
  } finally {
    await rm(working, { recursive: true, force: true });
  }
  await publishQuality(directory, quality);
  onProgress?.({ step: `measuring ${record.title}`, ratio: 1 });
  return quality;
}

async function sourceOf(
  { identity, title }: PresentationRecord,
  directory: string,
  given: FilmSource | undefined,
): Promise<FilmSource> {
  if (identity.source.kind === "demo")
    return { kind: "demo", durationSeconds: identity.source.durationSeconds };
  if (given?.kind !== "file")
    throw new MediaError(
      `${directory} does not hold what ${title} was made from; give the film's file with --quality.`,
    );
  if (!isDeepStrictEqual(await fingerprintFile(given.path), identity.source))
    throw new MediaError(`${given.path} is not what ${directory} was made from; give that film's file.`);
  return given;
}

/** ffmpeg's arguments: the rung as it is shown, and the source with what was drawn upon that rung. */
function comparison(
  job: EncodeJob,
  place: number,
  playlist: string,
  { model, width, height, everyPictures }: QualityMeasure,
): readonly string[] {
  const rendition = job.renditions[place % job.renditions.length];
  const label =
    rendition === undefined || job.labelChain === undefined ? "" : `,${job.labelChain(rendition)}`;
  const size = `scale=${width}:${height}:flags=bicubic,setsar=1,format=yuv420p`;
  // Counted, not timed: a picture is compared with its own source, whatever its time was rounded to.
  const counted = `settb=${job.frameRate.denominator}/${job.frameRate.numerator},setpts=N`;
  const inputs = job.inputArguments.filter((argument) => argument === "-i").length;
  const measure = [
    `model=version=${model}`,
    "feature=name=float_ssim",
    `n_subsample=${everyPictures}`,
    `n_threads=${availableParallelism()}`,
    "log_fmt=json",
    `log_path=${LOG_FILE}`,
    "shortest=1",
  ].join(":");
  return [
    ...["-v", "error", ...job.inputArguments, "-i", `file:${playlist}`, "-filter_complex"],
    `${job.videoChain},${size.replace(",setsar", `${label},setsar`)},${counted}[source];` +
      `[${inputs}:v:0]${size},${counted}[shown];[shown][source]libvmaf=${measure}`,
    ...(job.durationSeconds === undefined ? [] : ["-t", String(job.durationSeconds)]),
    ...["-f", "null", "-"],
  ];
}

interface PictureLog {
  readonly frames: readonly {
    readonly frameNum: number;
    readonly metrics: { readonly vmaf: number; readonly float_ssim: number };
  }[];
}

/** Means over the pictures of each segment, of what libvmaf wrote; a segment without a picture takes the one before it. */
export function meansOfSegments(
  log: string,
  segmentSeconds: readonly number[],
  { numerator, denominator }: FrameRate,
): Pick<RungQuality, "vmaf" | "ssim"> {
  const { frames } = JSON.parse(log) as PictureLog;
  const [vmaf, ssim]: [number[], number[]] = [[], []];
  let startSeconds = 0;
  for (const seconds of segmentSeconds) {
    const [first, end] = [startSeconds, startSeconds + seconds].map((at) =>
      Math.round((at * numerator) / denominator),
    );
    const own = frames.filter(({ frameNum }) => frameNum >= (first ?? 0) && frameNum < (end ?? 0));
    const mean = (of: (metrics: PictureLog["frames"][number]["metrics"]) => number, before = 0): number =>
      own.length === 0
        ? before
        : Number((own.reduce((sum, { metrics }) => sum + of(metrics), 0) / own.length).toFixed(DIGITS));
    vmaf.push(mean((metrics) => metrics.vmaf, vmaf.at(-1)));
    ssim.push(mean((metrics) => metrics.float_ssim, ssim.at(-1)));
    startSeconds += seconds;
  }
  return { vmaf, ssim };
}
