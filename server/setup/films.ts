import { availableParallelism } from "node:os";
import { join } from "node:path";
import cliProgress from "cli-progress";
import { freeSpace } from "../../media/disk-space.ts";
import { findFfmpeg, requireEncoder } from "../../media/find-ffmpeg.ts";
import { GrowingFilm } from "../../media/growing-film.ts";
import { measureQuality } from "../../media/measure-quality.ts";
import { MediaError } from "../../media/media-error.ts";
import {
  type FilmSource,
  findPackaged,
  type PackageFilmOptions,
  type PackagingProgress,
  type Presentation,
  packageFilm,
  requireFilm,
} from "../../media/package-film.ts";
import { type EncodingProgress, staysAhead } from "../../media/stays-ahead.ts";
import { type Film, packagedFilm } from "../films/film.ts";
import { FilmShelf } from "../films/film-shelf.ts";
import { folderFilm } from "../films/folder-film.ts";
import { growingFilm } from "../films/growing-film.ts";
import { pulledFilm } from "../films/pulled-film.ts";
import { fetchManifest, remoteFilm } from "../films/remote-film.ts";
import { SpareDisk } from "../films/spare-disk.ts";
import { Problem } from "../problem.mjs";
import { filmKind } from "./early-checks.ts";
import { withSetupLock } from "./lock.mjs";
import type { StartOptions } from "./options.ts";
import { MEDIA } from "./paths.ts";

const LOG_INTERVAL_MS = 10_000;
/** Pulled films leave it to telemetry, and to films that viewers add. */
const LEAST_FREE_BYTES = 1024 ** 3;
/** A page that plays the demo film takes as much of the processor as a core has, with the servers of this machine. */
const DEMO_AHEAD = { leadSeconds: 10, share: 1 - 1 / availableParallelism() };

/** One that is asked for: one that is there already, or what media/ is to package. */
export type WantedFilm = Film | FilmSource;

/**
 * What is asked for, in that order: looked at as far as that goes without ffmpeg.
 *
 * @throws Problem naming the film that cannot be played
 */
export async function wantedFilms(
  { films, pull, https, publicUrl }: Pick<StartOptions, "films" | "pull" | "https" | "publicUrl">,
  signal: AbortSignal,
): Promise<readonly WantedFilm[]> {
  const wanted: WantedFilm[] = [];
  const isOverTls = https || publicUrl?.startsWith("https:") === true;
  const taken = () => wanted.flatMap((film) => ("name" in film ? [film.name] : []));
  if (pull && !films.some(isUrl))
    throw new Problem("--pull fetches the segments of a film's URL: give one with --film https://...");
  const root = join(MEDIA, "pulled");
  const disk = new SpareDisk({
    leastFreeBytes: LEAST_FREE_BYTES,
    freeBytes: () => freeSpace(root),
    tell: (text) => process.stderr.write(`${text}\n`),
  });
  for (const film of films) {
    if (isUrl(film)) {
      const remote = await fetchManifest(film, signal);
      wanted.push(
        pull
          ? pulledFilm(remote, { root, disk, taken: taken(), signal })
          : remoteFilm(remote, taken(), isOverTls),
      );
    } else if (filmKind(film) === "folder" || film.endsWith(".mpd")) {
      wanted.push(folderFilm(film, taken(), isOverTls));
    } else {
      wanted.push({ kind: "file", path: film });
    }
  }
  return wanted.length === 0 ? [{ kind: "demo" }] : wanted;
}

const isUrl = (film: string): boolean => /^https?:/i.test(film);

type PackagingOptions = Pick<StartOptions, "ladder" | "codec" | "quality" | "data" | "playWhileEncoding">;

/**
 * Packages those that are not packaged yet; media/ decides which are. A file that is no film is refused at once, before any
 * is packaged, whoever else sets something up meanwhile.
 */
export async function prepareFilms(
  wanted: readonly WantedFilm[],
  { ladder, codec, quality, data, playWhileEncoding }: PackagingOptions,
  signal: AbortSignal,
): Promise<FilmShelf> {
  const isSource = (film: WantedFilm): film is FilmSource => "kind" in film;
  const isThere = (film: WantedFilm): film is Film => !isSource(film);
  const dropped = join(data, "films");
  if (wanted.every(isThere)) return new FilmShelf(wanted, dropped);
  try {
    const ffmpegPath = await findFfmpeg();
    if (codec !== null) await requireEncoder(codec, ffmpegPath);
    const rungs = { ladder: ladder ?? undefined, keepsAllRungs: ladder !== null, codec: codec ?? undefined };
    for (const film of wanted)
      if (isSource(film) && film.kind === "file") await requireFilm(film.path, { ffmpegPath, signal });
    const shelf: Film[] = [];
    for (const film of wanted) {
      const taken = [...shelf, ...wanted].flatMap((other) => ("name" in other ? [other.name] : []));
      const how = { taken, quality, ...rungs, ffmpegPath, signal };
      if (!isSource(film)) shelf.push(film);
      else if (quality || !(film.kind === "demo" || playWhileEncoding))
        shelf.push(await packageOne(film, how));
      else shelf.push(await beginOne(film, how));
    }
    return new FilmShelf(shelf, dropped);
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof MediaError ? new Problem(error.message) : error;
  }
}

/** The time that is left is known once something is done. */
export function barLine(
  options: cliProgress.Options,
  { progress, eta }: cliProgress.Params,
  { step }: { step: string },
): string {
  const left = Number(eta) > 0 ? `, ${cliProgress.Format.TimeFormat(eta, options, 5)} left` : "";
  return `${step} [${cliProgress.Format.BarFormat(progress, options)}] ${Math.floor(100 * progress)} %${left}`;
}

interface HowToPackage extends Omit<PackageFilmOptions, "source" | "outputRoot"> {
  /** Names of other films. */
  readonly taken: readonly string[];
  readonly quality: boolean;
  readonly signal: AbortSignal;
}

/** The demo film when whoever plays it will not have to wait; the film of a file, of which that is not known, as soon as it can be. */
async function beginOne(source: FilmSource, { taken, ...how }: HowToPackage): Promise<Film> {
  const isDemo = source.kind === "demo";
  const mayPlay = (progress: EncodingProgress) => !isDemo || staysAhead(progress, DEMO_AHEAD);
  const begun = await withBar((onProgress) =>
    GrowingFilm.begin({ source, outputRoot: MEDIA, ...how, onProgress }, mayPlay),
  );
  return growingFilm(begun, taken, how.signal);
}

async function packageOne(source: FilmSource, how: HowToPackage): Promise<Film> {
  const { taken, quality, signal } = how;
  // the lock is a file, and what is there already may lie where nothing can be written
  const found = quality ? null : await findPackaged({ source, outputRoot: MEDIA, ...how });
  const presentation =
    found ??
    (await withSetupLock({ output: process.stdout, signal, folder: MEDIA }, () => packageNow(source, how)));
  for (const note of presentation.notes) process.stdout.write(`${presentation.title}: ${note}\n`);
  return packagedFilm(presentation, taken);
}

async function packageNow(source: FilmSource, { quality, ...how }: HowToPackage): Promise<Presentation> {
  const presentation = await withBar((onProgress) =>
    packageFilm({ source, outputRoot: MEDIA, ...how, onProgress }),
  );
  const { directory } = presentation;
  const { ffmpegPath, signal } = how;
  if (quality)
    await withBar((onProgress) => measureQuality({ directory, source, ffmpegPath, signal, onProgress }));
  return presentation;
}

/** Shows how far the body is, until it ends. */
async function withBar<T>(
  body: (onProgress: (progress: PackagingProgress) => void) => Promise<T>,
): Promise<T> {
  let isOver = false;
  const bar = new cliProgress.SingleBar({
    stream: process.stdout,
    format: barLine,
    noTTYOutput: true,
    notTTYSchedule: LOG_INTERVAL_MS,
  });
  const onProgress = ({ step, ratio }: PackagingProgress): void => {
    if (isOver || (ratio === 1 && !bar.isActive)) return; // it was there already
    if (!bar.isActive) bar.start(100, 0, { step });
    bar.update(Math.floor(100 * ratio), { step });
  };
  try {
    return await body(onProgress);
  } finally {
    isOver = true;
    bar.stop();
  }
}
