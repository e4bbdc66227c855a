import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { diskFullError, isNearlyFull } from "./disk-space.ts";
import { PACKAGER_VERSION } from "./encode.ts";
import type { Rungs } from "./film-file.ts";
import type { Rung } from "./ladder.ts";
import { type ManifestRepresentation, parseManifest } from "./manifest.ts";
import { MediaError } from "./media-error.ts";
import type { SourceFingerprint } from "./source.ts";
import type { VideoCodecName } from "./video-codec.ts";
import { isWholeMp4 } from "./whole-file.ts";

export interface PresentationRepresentation {
  readonly id: string;
  readonly type: "video" | "audio";
  readonly bandwidthBitsPerSecond: number;
  readonly width?: number;
  readonly height?: number;
}

/** A packaged film on disk. */
export interface Presentation {
  readonly directory: string;
  readonly manifestPath: "manifest.mpd";
  readonly title: string;
  readonly durationSeconds: number;
  readonly representations: readonly PresentationRepresentation[];
  /** Sentences for whoever packaged it: what was left out, and what could be better. */
  readonly notes: readonly string[];
  /** True when nothing had to be done: the same film was packaged the same way before. */
  readonly reused: boolean;
}

/** Everything that decides what a presentation looks like; when nothing of it changed, it is reused. */
export interface PresentationIdentity {
  readonly source: SourceFingerprint;
  readonly ladder: readonly Rung[];
  readonly ffmpegVersion: string;
  readonly packagerVersion: number;
  readonly keepsAllRungs?: boolean;
  readonly codec?: VideoCodecName;
  /** The filters that read its pictures, where they are not those of most films. */
  readonly reading?: string;
}

/** What presentation.json holds: how the files beside it were made, and what came out. */
export interface PresentationRecord {
  readonly identity: PresentationIdentity;
  readonly title: string;
  readonly durationSeconds: number;
  readonly representations: readonly MeasuredRepresentation[];
  /** Names of the files of captions; absent: none. */
  readonly captions?: readonly string[];
  readonly notes?: readonly string[];
  /** ffmpeg's arguments, without the folder of the film. */
  readonly arguments: readonly string[];
  readonly packagingSeconds: number;
}

interface MeasuredRepresentation extends PresentationRepresentation {
  readonly segmentCount: number;
  readonly averageBitsPerSecond: number;
  /** Of the segment with the highest rate. */
  readonly peakBitsPerSecond: number;
}

export const MANIFEST_FILE = "manifest.mpd";
export const RECORD_FILE = "presentation.json";

export function identify(
  source: SourceFingerprint,
  { ladder, keepsAllRungs, codec }: Rungs,
  ffmpegVersion: string,
  reading?: string,
): PresentationIdentity {
  return {
    source,
    ladder,
    ffmpegVersion,
    packagerVersion: PACKAGER_VERSION[source.kind],
    ...(keepsAllRungs === true ? { keepsAllRungs } : {}),
    ...(codec === undefined ? {} : { codec }),
    ...(reading === undefined ? {} : { reading }),
  };
}

/** The folder's name: the same for the same identity, wherever the film lies. */
export function directoryName(identity: PresentationIdentity): string {
  const digest = createHash("sha256").update(JSON.stringify(identity)).digest("hex");
  return `${identity.source.kind === "demo" ? "demo" : "film"}-${digest.slice(0, 16)}`;
}

/** Measures what ffmpeg wrote into a folder. Throws MediaError when it is not a whole presentation. */
export async function measureRepresentations(
  directory: string,
  filmName: string,
): Promise<{ durationSeconds: number; representations: readonly MeasuredRepresentation[] }> {
  const xml = await readFile(join(directory, MANIFEST_FILE), "utf8");
  if (!xml.includes("</MPD>")) throw await incompleteError(directory, MANIFEST_FILE, filmName);
  const manifest = parseManifest(xml);
  const pictures = manifest.representations.find(({ type }) => type === "video")?.segmentSeconds ?? [];
  if (pictures.length === 0) {
    throw new MediaError(`${filmName} gave no picture; check that the film plays, or try another one.`);
  }
  const representations = await Promise.all(
    manifest.representations.map((representation) => measure(directory, representation, filmName)),
  );
  // ffmpeg's own length is rounded to tenths: a segment at the end would lie behind it.
  return { durationSeconds: Math.round(sum(pictures) * 1000) / 1000, representations };
}

async function measure(
  directory: string,
  { segmentSeconds, ...declared }: ManifestRepresentation,
  filmName: string,
): Promise<MeasuredRepresentation> {
  const segmentBits: number[] = [];
  // One after the other: a long film has more segments than a process may have open files.
  for (const name of fileNames(declared.id, segmentSeconds.length)) {
    if (!(await isWholeMp4(join(directory, name)))) throw await incompleteError(directory, name, filmName);
    const { size } = await stat(join(directory, name));
    if (name.startsWith("seg-")) segmentBits.push(size * 8);
  }
  // A last segment of a few pictures says nothing about the rate that a link must sustain.
  const longest = Math.max(...segmentSeconds);
  const rates = segmentBits.map((bits, index) => bits / Math.max(segmentSeconds[index] ?? 0, longest / 2));
  return {
    ...declared,
    segmentCount: segmentSeconds.length,
    averageBitsPerSecond: Math.round(sum(segmentBits) / sum(segmentSeconds)),
    peakBitsPerSecond: Math.round(Math.max(...rates)),
  };
}

async function incompleteError(directory: string, name: string, filmName: string): Promise<MediaError> {
  if (await isNearlyFull(directory)) return diskFullError(filmName);
  return new MediaError(
    `ffmpeg left ${name} of ${filmName} incomplete; check the disk and package it again.`,
    { kind: "disk" },
  );
}

/** The presentation in a folder, or undefined when there is none or it is damaged. */
export async function readRecord(directory: string): Promise<PresentationRecord | undefined> {
  try {
    const record = JSON.parse(await readFile(join(directory, RECORD_FILE), "utf8")) as PresentationRecord;
    const present = new Set(await readdir(directory));
    const expected = [
      ...record.representations.flatMap(({ id, segmentCount }) => fileNames(id, segmentCount)),
      ...(record.captions ?? []),
    ];
    return [MANIFEST_FILE, ...expected].every((name) => present.has(name)) ? record : undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR" || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** What callers get from a record: without the measurements. */
export function presentationOf(
  record: PresentationRecord,
  directory: string,
  title: string,
  reused: boolean,
): Presentation {
  return {
    directory,
    manifestPath: MANIFEST_FILE,
    title,
    durationSeconds: record.durationSeconds,
    representations: record.representations.map(
      ({ segmentCount: _count, averageBitsPerSecond: _average, peakBitsPerSecond: _peak, ...declared }) =>
        declared,
    ),
    notes: record.notes ?? [],
    reused,
  };
}

function fileNames(id: string, segmentCount: number): readonly string[] {
  const numbers = Array.from({ length: segmentCount }, (_, index) => String(index + 1).padStart(5, "0"));
  return [`init-${id}.m4s`, ...numbers.map((number) => `seg-${id}-${number}.m4s`)];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
