import type { ProbedVideo } from "./probe.ts";

/** One step of the ladder: the largest picture it carries and its highest sustained video bit rate. */
export interface Rung {
  /** Pixels along the picture's long side. */
  readonly longSide: number;
  /** Pixels along the picture's short side: the "720" of 720p. */
  readonly shortSide: number;
  readonly videoBitsPerSecond: number;
}

/** A rung fitted to one source: an even picture size and the sample aspect ratio that keeps its shape. */
export interface Rendition {
  readonly width: number;
  readonly height: number;
  readonly sampleAspectRatio: { readonly width: number; readonly height: number };
  readonly videoBitsPerSecond: number;
}

/** Sizes are exactly 16:9 with even sides, so an ordinary film keeps square samples in every rung. */
export const LADDER: readonly Rung[] = [
  { longSide: 416, shortSide: 234, videoBitsPerSecond: 300_000 },
  { longSide: 640, shortSide: 360, videoBitsPerSecond: 700_000 },
  { longSide: 960, shortSide: 540, videoBitsPerSecond: 1_500_000 },
  { longSide: 1280, shortSide: 720, videoBitsPerSecond: 2_800_000 },
  { longSide: 1920, shortSide: 1080, videoBitsPerSecond: 5_000_000 },
  { longSide: 1920, shortSide: 1080, videoBitsPerSecond: 8_000_000 },
];

export const AUDIO_BITS_PER_SECOND = 128_000; // stereo AAC-LC, ordinary for films

const SOURCE_BITRATE_HEADROOM = 1.5; // a fast re-encoding needs more bits than its source for the same picture
const NEWER_CODEC_FACTOR = 2; // H.264 needs about twice the bits of these for the same picture
const NEWER_CODECS = new Set(["hevc", "av1", "vp9", "vvc"]);
const WORTHWHILE_ENLARGEMENT = 1.1; // below this a rung shows nothing that the one below it does not

/** What the rungs of a source depend on. */
type SourcePicture = Pick<ProbedVideo, "codec" | "width" | "height" | "sampleAspectRatio" | "bitsPerSecond">;

interface DisplaySize {
  readonly width: number;
  readonly height: number;
}

/** The rungs that make sense for a source, lowest first; never empty. */
export function chooseRenditions(ladder: readonly Rung[], source: SourcePicture): readonly Rendition[] {
  const display = displaySize(source);
  const affordable = rungsWorthTheirBits(rungsForSize(ladder, display), source);
  const wasCutByBitrate = affordable.length < rungsForSize(ladder, display).length;
  return affordable.map((rung, index) => {
    const isTop = index === affordable.length - 1;
    // A source of few bits still deserves its whole picture in one rung: the dropped ones were cut for bits, not size.
    const box = isTop && wasCutByBitrate ? (rungsForSize(ladder, display).at(-1) ?? rung) : rung;
    return fitToBox(display, box, rung.videoBitsPerSecond);
  });
}

/** Every rung as it was asked for, lowest first; none is larger than the source. */
export function allRenditions(ladder: readonly Rung[], source: SourcePicture): readonly Rendition[] {
  const display = displaySize(source);
  return ladder.map((rung) => fitToBox(display, rung, rung.videoBitsPerSecond));
}

function displaySize(source: SourcePicture): DisplaySize {
  const { width, height } = source.sampleAspectRatio;
  return { width: Math.round((source.width * width) / height), height: source.height };
}

/** How much a picture must shrink (below 1) or would have to grow (above 1) to touch the rung's box. */
function scaleToBox(display: DisplaySize, rung: Rung): number {
  const long = Math.max(display.width, display.height);
  const short = Math.min(display.width, display.height);
  return Math.min(rung.longSide / long, rung.shortSide / short);
}

function rungsForSize(ladder: readonly Rung[], display: DisplaySize): readonly Rung[] {
  const fitting = ladder.filter((rung) => scaleToBox(display, rung) <= 1);
  const largest = fitting.at(-1);
  const isWellAboveLargest =
    largest === undefined || scaleToBox(display, largest) * WORTHWHILE_ENLARGEMENT < 1;
  const next = ladder[fitting.length];
  return isWellAboveLargest && next !== undefined ? [...fitting, next] : fitting;
}

function rungsWorthTheirBits(rungs: readonly Rung[], source: SourcePicture): readonly Rung[] {
  if (source.bitsPerSecond === undefined) return rungs;
  const codecFactor = NEWER_CODECS.has(source.codec) ? NEWER_CODEC_FACTOR : 1;
  const usefulBitsPerSecond = source.bitsPerSecond * codecFactor * SOURCE_BITRATE_HEADROOM;
  return rungs.filter((rung, index) => index === 0 || rung.videoBitsPerSecond <= usefulBitsPerSecond);
}

/** Shrinks (never enlarges) a picture into the box; sides are even because 4:2:0 halves them. */
function fitToBox(display: DisplaySize, box: Rung, videoBitsPerSecond: number): Rendition {
  const scale = Math.min(1, scaleToBox(display, box));
  const width = evenSide(display.width * scale);
  const height = evenSide(display.height * scale);
  // The DASH muxer refuses an adaptation set whose pictures differ in shape by even one part in a thousand.
  const sampleAspectRatio = reduce(display.width * height, display.height * width);
  return { width, height, sampleAspectRatio, videoBitsPerSecond };
}

function evenSide(pixels: number): number {
  return Math.max(2, 2 * Math.round(pixels / 2 - 0.25));
}

function reduce(width: number, height: number): { width: number; height: number } {
  let [divisor, remainder] = [width, height];
  while (remainder !== 0) [divisor, remainder] = [remainder, divisor % remainder];
  return { width: width / divisor, height: height / divisor };
}
