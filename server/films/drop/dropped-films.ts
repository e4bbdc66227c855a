import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Readable } from "node:stream";
import { isDiskFull } from "../../../media/disk-space.ts";
import { findFfmpeg } from "../../../media/find-ffmpeg.ts";
import { MediaError } from "../../../media/media-error.ts";
import { type Presentation, packagedIn, packageFilm } from "../../../media/package-film.ts";
import { removeAbandoned } from "../../../media/workspace.ts";
import { Refusal } from "../../errors.ts";
import { makeOwnFolder } from "../../own-folder.ts";
import { type Film, nameFor, packagedFilm, titleFor } from "../film.ts";
import { DROPPED, type FilmShelf, isAdded } from "../film-shelf.ts";
import { diskFull, isLeftUpload, nameOfLeaving, withUpload } from "./upload.ts";

const MOST_BYTES = 8e9;

/** A page that waits for its turn asks again so soon. */
const ASK_AGAIN_SECONDS = 3;
/** Beside a film: its name in links, which it keeps at later starts, unless a film of `--film` has it. */
const NAME_FILE = "name";

export interface DropOptions {
  /** Absolute; what is packaged is kept in here. */
  readonly root: string;
  readonly shelf: FilmShelf;
  readonly mostBytes?: number;
}

export interface Dropped {
  readonly name: string;
  readonly sizeBytes: number | null;
  readonly body: Readable;
  /** Ratios from 0 to 1. */
  readonly onProgress: (progress: { readonly step: string; readonly ratio: number }) => void;
  readonly signal: AbortSignal;
}

/** Films that viewers add: packaged here, one at a time, kept for the next start, and put into the menu. */
export class DroppedFilms {
  readonly #root: string;
  readonly #shelf: FilmShelf;
  readonly #mostBytes: number;
  #isBusy = false;

  constructor({ root, shelf, mostBytes = MOST_BYTES }: DropOptions) {
    this.#root = root;
    this.#shelf = shelf;
    this.#mostBytes = mostBytes;
    makeOwnFolder(root);
  }

  /** How long to wait before a film may be sent; null: not at all. */
  get retryAfterSeconds(): number | null {
    return this.#isBusy ? ASK_AGAIN_SECONDS : null;
  }

  /** Puts those of earlier starts into the menu, and removes what was left half-taken. */
  async open(): Promise<void> {
    await this.#sweep();
    const found = (await packagedIn(this.#root)).toSorted((one, other) => addedAtMs(one) - addedAtMs(other));
    const names = found.map(storedName);
    for (const [place, presentation] of found.entries()) this.#add(presentation, names.toSpliced(place, 1));
  }

  /**
   * Takes, packages and offers a film.
   *
   * @throws Refusal with one sentence: 409 while another one is packaged, or where it was removed meanwhile, 413, 422 if it
   *   is no film, 507
   */
  async take({ onProgress, ...dropped }: Dropped): Promise<Film> {
    const { retryAfterSeconds } = this;
    if (retryAfterSeconds !== null)
      throw new Refusal(409, "another film is being packaged: wait for it", { retryAfterSeconds });
    this.#isBusy = true;
    try {
      await this.#sweep();
      const ffmpegPath = await findFfmpeg();
      const upload = { ...dropped, root: this.#root, mostBytes: this.#mostBytes };
      const { signal } = dropped;
      const presentation = await withUpload(upload, (path) =>
        packageFilm({
          source: { kind: "file", path, isStrangers: true },
          outputRoot: this.#root,
          ffmpegPath,
          onProgress: ({ step, ratio }) => onProgress({ step: step.replace(path, basename(path)), ratio }),
          signal,
        }),
      );
      if (!existsSync(presentation.directory))
        throw new Refusal(409, "the film was removed while it came: add it again");
      return this.#add(presentation);
    } catch (error) {
      if (error instanceof MediaError) throw refusalOf(error);
      throw isDiskFull(error) ? diskFull() : error;
    } finally {
      this.#isBusy = false;
    }
  }

  /**
   * Takes a film out of the menu and off the disk. Nothing more of it is served, also to those who watch it.
   *
   * @throws Refusal with one sentence: 404 where there is none, 409 where no viewer added it
   */
  async remove(name: string): Promise<void> {
    const film = this.#shelf.films.find((one) => one.name === name);
    if (film === undefined)
      throw new Refusal(404, `no film is named ${name}: GET /api/films has the names`, { field: "name" });
    if (!isAdded(film) || film.directory === null)
      throw new Refusal(409, `no viewer added ${name}: start the server without it`, { field: "name" });
    const leaving = nameOfLeaving(this.#root);
    if (existsSync(film.directory)) renameSync(film.directory, leaving);
    this.#shelf.remove(film); // at once: the same film may be coming again
    await rm(leaving, { recursive: true, force: true });
  }

  /** Leaves what another server, on another port or in another container, is taking into the same folder. */
  async #sweep(): Promise<void> {
    await removeAbandoned(this.#root); // now: what fills the disk keeps the next film out
    for (const name of await readdir(this.#root)) {
      const path = join(this.#root, name);
      if (await isLeftUpload(path)) await rm(path, { recursive: true, force: true });
    }
  }

  /** @param kept names of others that are still to come; null: of one without */
  #add(presentation: Presentation, kept: readonly (string | null)[] = []): Film {
    const place = `${DROPPED}/${basename(presentation.directory)}`;
    const known = this.#shelf.films.find((film) => film.place === place);
    if (known !== undefined) return known;
    const taken = [DROPPED, ...this.#shelf.names, ...kept.filter((name) => name !== null)];
    const packaged = packagedFilm(presentation, taken);
    const titles = this.#shelf.films.map(({ title }) => title);
    const stored = storedName(presentation);
    const name = stored === null ? packaged.name : nameFor(stored, taken);
    if (stored === null) storeName(presentation, name);
    const film = { ...packaged, name, title: titleFor(packaged.title, titles), place };
    this.#shelf.add(film);
    return film;
  }
}

/** On a full disk it is the film's until the server ends. */
function storeName({ directory }: Presentation, name: string): void {
  try {
    writeFileSync(join(directory, NAME_FILE), name);
  } catch (error) {
    if (!isDiskFull(error)) throw error;
  }
}

/** Null where a film was never in the menu, or the disk was full when it was to be. */
function storedName({ directory }: Presentation): string | null {
  const file = join(directory, NAME_FILE);
  return (existsSync(file) && readFileSync(file, "utf8")) || null;
}

/** When a film was first in the menu; one that never was comes last. */
function addedAtMs({ directory }: Presentation): number {
  return statSync(join(directory, NAME_FILE), { throwIfNoEntry: false })?.mtimeMs ?? Number.MAX_VALUE;
}

/** Without the path at which it lay for a moment. */
function refusalOf({ message, kind }: MediaError): Refusal {
  const sentence = message.replaceAll(/\S*\.upload@[^/\s]+[/\\]/g, "");
  return new Refusal(kind === "disk" ? 507 : 422, sentence.replace(/\.$/, ""));
}
