/** quality.json beside a film: how good each segment of each rung looks. README.md of this folder has its schema. */

import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

export const QUALITY_FILE = "quality.json";
/** Rungs that were measured before the others, until all are. */
const UNFINISHED_FILE = ".quality-unfinished.json";

/** Of one representation; a number for each segment, in order. */
export interface RungQuality {
  /** As the manifest names it. */
  readonly representation: string;
  readonly bitsPerSecond: number;
  /** Mean over pictures, 0 to 100. */
  readonly vmaf: readonly number[];
  /** Of brightness, mean over pictures, at most 1. */
  readonly ssim: readonly number[];
}

/** What decides the numbers, besides the film. */
export interface QualityMeasure {
  readonly schema: 1;
  /** Of libvmaf. */
  readonly model: string;
  /** Size at which source and rung were compared. */
  readonly width: number;
  readonly height: number;
  /** 4: one picture of four was looked at. */
  readonly everyPictures: number;
  readonly ffmpegVersion: string;
}

export interface FilmQuality extends QualityMeasure {
  readonly film: string;
  readonly segmentSeconds: readonly number[];
  readonly rungs: readonly RungQuality[];
}

/** What was measured in this way before: all of it, or some rungs; none otherwise. */
export async function measuredBefore(
  directory: string,
  measure: QualityMeasure,
): Promise<readonly RungQuality[]> {
  for (const name of [QUALITY_FILE, UNFINISHED_FILE]) {
    const found = await readQuality(join(directory, name));
    if (found !== undefined && isOf(found, measure)) return found.rungs;
  }
  return [];
}

/** Keeps some rungs for whoever goes on. */
export async function keepUnfinished(directory: string, quality: FilmQuality): Promise<void> {
  await writeFile(join(directory, UNFINISHED_FILE), `${JSON.stringify(quality)}\n`);
}

/** Gives all rungs the name under which others look for them. */
export async function publishQuality(directory: string, quality: FilmQuality): Promise<void> {
  await keepUnfinished(directory, quality);
  await rename(join(directory, UNFINISHED_FILE), join(directory, QUALITY_FILE));
}

async function readQuality(file: string): Promise<FilmQuality | undefined> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as FilmQuality;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT" || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isOf(quality: FilmQuality, measure: QualityMeasure): boolean {
  return (Object.keys(measure) as (keyof QualityMeasure)[]).every((key) => quality[key] === measure[key]);
}
