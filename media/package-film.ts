import { copyFile, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { type CaptionFile, writeCaptions } from "./captions.ts";
import { DEMO_FONT_FILE, DEMO_SECONDS, DEMO_TITLE, demoFilmJob } from "./demo-film.ts";
import { diskFullError, isDiskFull, requireSpaceFor } from "./disk-space.ts";
import { type EncodeJob, encodeArguments, segmentSecondsOf } from "./encode.ts";
import { type FilmFileJob, filmFileJob, type Rungs } from "./film-file.ts";
import { ffmpegVersion, requireEncoder } from "./find-ffmpeg.ts";
import { findFont } from "./font.ts";
import { soundAloneSeconds, withLastPictureHeld } from "./held-picture.ts";
import { LADDER, type Rung } from "./ladder.ts";
import { lengthNotes } from "./length-notes.ts";
import { MediaError } from "./media-error.ts";
import { nameTracks } from "./name-tracks.ts";
import {
  directoryName,
  identify,
  measureRepresentations,
  type Presentation,
  type PresentationIdentity,
  type PresentationRecord,
  presentationOf,
  RECORD_FILE,
  readRecord,
} from "./presentation.ts";
import { titleOfFile } from "./probe.ts";
import { runFfmpeg } from "./run-ffmpeg.ts";
import { type FilmSource, fingerprintFile } from "./source.ts";
import { trackNames } from "./tracks.ts";
import { makePartialDirectory, publish } from "./workspace.ts";

export type { Presentation, PresentationRepresentation } from "./presentation.ts";
export type { FilmSource } from "./source.ts";

export interface PackageFilmOptions extends Omit<Rungs, "ladder"> {
  readonly source: FilmSource;
  /** Presentations lie in folders of their own in here. */
  readonly outputRoot: string;
  readonly ffmpegPath: string;
  /** Rungs to choose from, lowest first. */
  readonly ladder?: readonly Rung[] | undefined;
  /** Ratios never fall and end with 1. */
  readonly onProgress?: ((progress: PackagingProgress) => void) | undefined;
  /** Called when the encoding begins; segments are there one after the other from then on. */
  readonly onBegin?: ((begun: BegunPackaging) => void) | undefined;
  /** After it, all else on this machine goes first. */
  readonly yieldsAfter?: Promise<void> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** An encoding that is under way. */
export interface BegunPackaging {
  /** Until the presentation has its name. */
  readonly directory: string;
  readonly job: EncodeJob;
  readonly captions: readonly CaptionFile[];
  readonly expectedSeconds: number | undefined;
  readonly segmentSeconds: number;
}

export interface PackagingProgress {
  /** What is being done, for people: `encoding the demo film (2 min, 6 rungs)`. */
  readonly step: string;
  /** Between 0 and 1. */
  readonly ratio: number;
}

/**
 * Looks into a film file, without packaging it.
 *
 * Throws MediaError (one sentence) when it holds no film that ffmpeg can read.
 */
export async function requireFilm(
  path: string,
  { ffmpegPath, signal }: Pick<PackageFilmOptions, "ffmpegPath" | "signal">,
): Promise<void> {
  await filmFileJob({ kind: "file", path }, ffmpegPath, { ladder: LADDER }, signal);
}

/**
 * Turns a film into a DASH presentation, or finds the one that was made before.
 *
 * Throws MediaError (one sentence) when the film or ffmpeg is at fault or the disk is full, and the signal's reason
 * when it is aborted; nothing is left behind then.
 */
export async function packageFilm(options: PackageFilmOptions): Promise<Presentation> {
  options.signal?.throwIfAborted();
  const { identity, directory, title, existing, film } = await locate(options);
  if (existing !== null) {
    options.onProgress?.({ step: "already packaged", ratio: 1 });
    return existing;
  }
  try {
    return await inPartialDirectory(dirname(directory), async (partial) => {
      const record = await packageInto(partial, identity, options, film);
      const isWhole = async (candidate: string) => (await readRecord(candidate)) !== undefined;
      const isOurs = await publish(partial, directory, isWhole);
      return presentationOf(record, directory, title, !isOurs);
    });
  } catch (error) {
    if (isDiskFull(error)) throw diskFullError(filmNameOf(options.source), error);
    throw error;
  }
}

async function inPartialDirectory<T>(outputRoot: string, work: (partial: string) => Promise<T>): Promise<T> {
  const partial = await makePartialDirectory(outputRoot);
  try {
    return await work(partial);
  } finally {
    await rm(partial, { recursive: true, force: true }); // after a publication there is nothing under this name
  }
}

/** The presentation that `packageFilm` would find, for which nothing is written; null: there is none yet. */
export async function findPackaged(options: PackageFilmOptions): Promise<Presentation | null> {
  return (await locate(options)).existing;
}

/** The whole presentations in a folder. */
export async function packagedIn(outputRoot: string): Promise<readonly Presentation[]> {
  const found: Presentation[] = [];
  for (const name of (await readdir(outputRoot)).sort()) {
    const presentation = name.startsWith(".") ? null : await packagedAt(join(outputRoot, name));
    if (presentation !== null) found.push(presentation);
  }
  return found;
}

/** The presentation in this folder; null where none is whole. */
export async function packagedAt(directory: string): Promise<Presentation | null> {
  const record = await readRecord(directory);
  return record === undefined ? null : presentationOf(record, directory, record.title, true);
}

/** Where a presentation lies or is to lie, and what is there. */
async function locate(options: PackageFilmOptions) {
  const { source, outputRoot } = options;
  const { identity, film } = await identityOf(options);
  const directory = join(resolve(outputRoot), directoryName(identity));
  const title = source.kind === "demo" ? DEMO_TITLE : titleOfFile(source.path);
  const record = await readRecord(directory);
  const existing = record === undefined ? null : presentationOf(record, directory, title, true);
  return { identity, directory, title, existing, film };
}

/** Of a film's file also how it is read, which decides what becomes of it. */
async function identityOf(
  options: PackageFilmOptions,
): Promise<{ identity: PresentationIdentity; film: FilmFileJob | undefined }> {
  const { source, ffmpegPath, signal } = options;
  const [rungs, version] = [rungsOf(options), await ffmpegVersion(ffmpegPath)];
  if (source.kind === "demo") {
    const fingerprint = { kind: source.kind, durationSeconds: demoSeconds(source.durationSeconds) };
    return { identity: identify(fingerprint, rungs, version), film: undefined };
  }
  const fingerprint = await fingerprintFile(source.path);
  const film = await filmFileJob(source, ffmpegPath, rungs, signal);
  return { identity: identify(fingerprint, rungs, version, film.reading), film };
}

function rungsOf({
  ladder = LADDER,
  keepsAllRungs,
  codec,
}: Pick<PackageFilmOptions, "ladder" | "keepsAllRungs" | "codec">): Rungs {
  return { ladder, keepsAllRungs, codec };
}

function filmNameOf(source: FilmSource): string {
  return source.kind === "demo" ? "the demo film" : source.path;
}

function demoSeconds(durationSeconds: number = DEMO_SECONDS): number {
  if (Number.isFinite(durationSeconds) && durationSeconds > 0) return durationSeconds;
  throw new MediaError(
    `A demo film of ${durationSeconds} seconds cannot be made; ask for more than 0 seconds.`,
  );
}

async function packageInto(
  partial: string,
  identity: PresentationIdentity,
  options: PackageFilmOptions,
  film: FilmFileJob | undefined,
): Promise<PresentationRecord> {
  const startedAtMs = performance.now();
  const filmName = filmNameOf(options.source);
  const {
    job,
    expectedSeconds,
    captions: captionTracks,
    notes: jobNotes,
  } = film ?? (await jobOf(partial, options));
  await requireSpaceFor(job, expectedSeconds, partial, filmName);
  if (options.codec !== undefined) await requireEncoder(options.codec, options.ffmpegPath);
  if (captionTracks.length > 0)
    options.onProgress?.({ step: `reading the captions of ${filmName}`, ratio: 0 });
  const { captions, notes: captionNotes } = await writeCaptions(
    captionTracks,
    trackNames(captionTracks, "Captions"),
    {
      ffmpegPath: options.ffmpegPath,
      inputArguments: job.inputArguments,
      workingDirectory: partial,
      filmName,
      signal: options.signal,
    },
  );
  const step = `encoding ${filmName} (${lengthOf(expectedSeconds)}${job.renditions.length} rungs)`;
  options.onBegin?.({
    directory: partial,
    job,
    captions,
    expectedSeconds,
    segmentSeconds: segmentSecondsOf(job),
  });
  const report = progressReporter(step, expectedSeconds, options.onProgress);
  report(0);
  const run = {
    ffmpegPath: options.ffmpegPath,
    workingDirectory: partial,
    filmName,
    isBackground: options.source.kind === "file" && options.source.isStrangers === true,
    yieldsAfter: options.yieldsAfter,
    signal: options.signal,
  };
  const encode = async (wanted: EncodeJob) => {
    const arguments_ = encodeArguments(wanted);
    const complaints = await runFfmpeg({ ...run, arguments: arguments_, onEncodedSeconds: report });
    const measured = await measureRepresentations(partial, filmName);
    return { arguments_, complaints, measured };
  };
  let encoded = await encode(job);
  const aloneSeconds = await soundAloneSeconds(job, { ...encoded.measured, expectedSeconds }, run);
  if (aloneSeconds > 0) encoded = await encode(withLastPictureHeld(job, aloneSeconds));
  const { arguments_, complaints, measured } = encoded;
  await rm(join(partial, DEMO_FONT_FILE), { force: true });
  await nameTracks(partial, { audio: job.audio, captions, frameRate: job.frameRate, ...measured });
  const { durationSeconds } = measured;
  const notes = [
    ...jobNotes,
    ...captionNotes,
    ...(aloneSeconds > 0
      ? [`its last picture stands for ${Math.round(aloneSeconds)} s, while its sound goes on`]
      : []),
    ...lengthNotes({ durationSeconds, expectedSeconds, job, complaints }),
  ];
  const record: PresentationRecord = {
    identity,
    title: job.title,
    ...measured,
    ...(captions.length === 0 ? {} : { captions: captions.map(({ file }) => file) }),
    ...(notes.length === 0 ? {} : { notes }),
    arguments: arguments_.map((argument) => argument.replace(/^file:.*[\\/]/s, "file:")), // without this machine's folders
    packagingSeconds: Math.round((performance.now() - startedAtMs) / 100) / 10,
  };
  await writeFile(join(partial, RECORD_FILE), `${JSON.stringify(record, undefined, 2)}\n`);
  options.onProgress?.({ step, ratio: 1 });
  return record;
}

/** How a source is read and drawn upon; the demo film's font is put into the working directory. */
export async function jobOf(
  workingDirectory: string,
  options: Omit<PackageFilmOptions, "outputRoot">,
): Promise<FilmFileJob> {
  const { source, ffmpegPath, signal } = options;
  const rungs = rungsOf(options);
  if (source.kind === "file") return filmFileJob(source, ffmpegPath, rungs, signal);
  await copyFile(findFont(), join(workingDirectory, DEMO_FONT_FILE));
  const expectedSeconds = demoSeconds(source.durationSeconds);
  return {
    job: demoFilmJob(rungs, expectedSeconds),
    expectedSeconds,
    captions: [],
    notes: [],
    reading: undefined,
  };
}

/** Of a film whose length the container does not tell: nothing. */
function lengthOf(seconds: number | undefined): string {
  if (seconds === undefined) return "";
  return seconds < 90 ? `${Math.round(seconds)} s, ` : `${Math.round(seconds / 60)} min, `;
}

/** Below 1 until the end is certain: ffmpeg's clock and the container's promise seldom agree to the second. */
function progressReporter(
  step: string,
  expectedSeconds: number | undefined,
  onProgress: PackageFilmOptions["onProgress"],
): (encodedSeconds: number) => void {
  let highest = 0;
  return (encodedSeconds) => {
    if (expectedSeconds === undefined) return onProgress?.({ step, ratio: 0 });
    highest = Math.max(highest, Math.min(0.99, encodedSeconds / expectedSeconds));
    onProgress?.({ step, ratio: highest });
  };
}
