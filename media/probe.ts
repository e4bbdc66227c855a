import { basename, extname } from "node:path";
import { type ProbedRate, parseFrameRate } from "./frame-rate.ts";
import { DISPOSITIONS, type ProbedTrack } from "./tracks.ts";

/** Of HDR, by ffmpeg's names. */
export interface HdrColours {
  readonly matrix: string;
  readonly primaries: string;
  readonly transfer: string;
}

/** PQ and HLG (ITU-R BT.2100). */
const HDR_TRANSFERS = ["smpte2084", "arib-std-b67"];

export interface ProbedVideo extends ProbedRate {
  readonly codec: string;
  /** Coded pixels, after the rotation that a phone's film carries. */
  readonly width: number;
  readonly height: number;
  readonly sampleAspectRatio: { readonly width: number; readonly height: number };
  /** Whether its samples are red, green and blue, not luma and colour differences. */
  readonly isRgb: boolean;
  /** Undefined: it is no HDR, or does not say so. */
  readonly hdr: HdrColours | undefined;
  /** Undefined when the container does not tell; the container's own rate where the stream's is missing. */
  readonly bitsPerSecond: number | undefined;
}

export interface ProbedFilm {
  /** Undefined when the container does not tell (raw streams). */
  readonly durationSeconds: number | undefined;
  /** Undefined when there is no film in the file, for example only music with a cover. */
  readonly video: ProbedVideo | undefined;
  /** In the file's order. */
  readonly audio: readonly ProbedTrack[];
  readonly captions: readonly ProbedTrack[];
}

/** Characters of a line that are read: a stream's line has some 200, and names and languages are what a film's maker likes. */
const LONGEST_LINE = 2000;

/** Reads what `ffmpeg -hide_banner -i FILE` prints on stderr; undefined when ffmpeg could not open the file. */
export function parseProbe(printed: string): ProbedFilm | undefined {
  const lines = printed.split("\n").map((line) => line.slice(0, LONGEST_LINE));
  const text = lines.join("\n");
  if (!/^Input #0,/m.test(text)) return undefined;
  const streams = lines.filter((line) => /^\s+Stream #0:/.test(line));
  const videoLine = streams.find((line) => line.includes(": Video: ") && !line.includes("(attached pic)"));
  return {
    durationSeconds: parseDuration(text),
    video: videoLine === undefined ? undefined : parseVideo(videoLine, text),
    audio: parseTracks(text, "Audio"),
    captions: parseTracks(text, "Subtitle"),
  };
}

/** A title for people: the file's name without its extension, underscores and dots as spaces. */
export function titleOfFile(path: string): string {
  const name = basename(path, extname(path));
  return name.replaceAll(/[_.]+/g, " ").trim() || basename(path);
}

/** A stream's line, and the lines of its metadata, which are further in. */
function parseTracks(text: string, kind: "Audio" | "Subtitle"): ProbedTrack[] {
  const stream = new RegExp(
    `^( +)Stream #0:(\\d+)(?:\\[\\w+\\])?(?:\\((\\w[\\w-]*)\\))?: ${kind}: (\\w+)(.*)((?:\\n\\1 +.*)*)`,
    "gm",
  );
  return [...text.matchAll(stream)].map(([, , index, language, codec = "", line = "", metadata = ""]) => ({
    streamIndex: Number(index),
    codec,
    dispositions: DISPOSITIONS.filter((each) => line.includes(`(${each})`)),
    language: language === "und" ? undefined : language,
    title: /^ +(?:title|name) +: (.+)$/m.exec(metadata)?.[1]?.trim(),
  }));
}

function parseDuration(text: string): number | undefined {
  const match = /^ +Duration: (\d+):(\d\d):(\d\d(?:\.\d+)?)/m.exec(text);
  if (match === null) return undefined;
  return Number(match[1]) * 3600 + Number(match[2]) * 60 + Number(match[3]);
}

function parseVideo(line: string, text: string): ProbedVideo | undefined {
  const codec = /: Video: (\w+)/.exec(line)?.[1];
  const size = /, (\d+)x(\d+)[\s,]/.exec(`${line},`);
  if (codec === undefined || size === null) return undefined;
  const ratio = /\bSAR (\d+):(\d+)/.exec(line);
  const sar = { width: Number(ratio?.[1] ?? 1) || 1, height: Number(ratio?.[2] ?? 1) || 1 };
  const isTurned = isQuarterTurned(text);
  const [width, height] = [Number(size[1]), Number(size[2])];
  return {
    codec,
    width: isTurned ? height : width,
    height: isTurned ? width : height,
    sampleAspectRatio: isTurned ? { width: sar.height, height: sar.width } : sar,
    ...parseFrameRate(line),
    ...parsePixels(line),
    bitsPerSecond: parseKilobits(line) ?? parseKilobits(/^ +Duration: .*$/m.exec(text)?.[0] ?? ""),
  };
}

/** Phones store upright films on their side and add a turn, which ffmpeg undoes before any filter. */
function isQuarterTurned(text: string): boolean {
  const rotation = /display ?matrix: rotation of (-?[\d.]+) degrees/i.exec(text)?.[1];
  return rotation !== undefined && Math.abs(Math.round(Number(rotation) / 90)) % 2 === 1;
}

function parseKilobits(line: string): number | undefined {
  const kilobits = /(\d+) kb\/s/.exec(line)?.[1];
  return kilobits === undefined || kilobits === "0" ? undefined : Number(kilobits) * 1000;
}

/** From `yuv420p10le(tv, bt2020nc/bt2020/smpte2084, progressive)`: matrix, primaries and transfer. */
function parsePixels(line: string): Pick<ProbedVideo, "isRgb" | "hdr"> {
  const [, format = "", details = ""] = /: Video: \w+(?: \([^)]*\))*, (\w+)(?:\(([^)]*)\))?/.exec(line) ?? [];
  const [, matrix, primaries, transfer = ""] = /(\w+)\/(\w+)\/([\w-]+)/.exec(details) ?? [];
  const known = (name: string | undefined, usual: string) =>
    name === undefined || name === "unknown" ? usual : name;
  return {
    isRgb: /^(gbr|a?rgb|a?bgr|0rgb|0bgr|x2rgb|x2bgr|pal8)/.test(format),
    hdr: HDR_TRANSFERS.includes(transfer)
      ? { matrix: known(matrix, "bt2020nc"), primaries: known(primaries, "bt2020"), transfer }
      : undefined,
  };
}
