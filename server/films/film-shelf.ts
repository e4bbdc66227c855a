import type { FilmEntry } from "../../player/src/options/server-config.ts";
import { type Film, packagedFilm } from "./film.ts";

/** A folder below a name: that of a film, or of several. */
export type Mount = Pick<Film, "name" | "prepare" | "presentDirectory"> & { readonly directory: string };

/** Below which films lie that viewers add. */
export const DROPPED = "dropped";

/** The films that are served, in the order of the menu. */
export class FilmShelf {
  readonly #films: Film[];
  readonly #dropped: Mount | null;

  /** @param droppedRoot the folder of those that viewers add; null: none are */
  constructor(films: readonly Film[], droppedRoot: string | null = null) {
    this.#films = [...films];
    this.#dropped = droppedRoot === null ? null : { name: DROPPED, directory: droppedRoot };
  }

  static ofOne(presentation: Parameters<typeof packagedFilm>[0]): FilmShelf {
    return new FilmShelf([packagedFilm(presentation)]);
  }

  get films(): readonly Film[] {
    return this.#films;
  }

  get names(): readonly string[] {
    return this.#films.map(({ name }) => name);
  }

  /** The first one that was packaged here lies at `/media/` itself, each other one below its name; null: none does. */
  get root(): Film | null {
    return this.#films.find(({ isPackagedHere, place }) => isPackagedHere && place === undefined) ?? null;
  }

  get droppedRoot(): string | null {
    return this.#dropped?.directory ?? null;
  }

  /** What lies below names. */
  get mounts(): readonly Mount[] {
    const { root } = this;
    const films = this.#films.filter(
      (film): film is Film & Mount => film !== root && film.directory !== null && film.place === undefined,
    );
    return this.#dropped === null ? films : [...films, this.#dropped];
  }

  /** Settles when no encoder is at work: of one that was stopped no folder is left then. */
  async encodingsOver(): Promise<void> {
    await Promise.all(this.#films.map(({ encodingOver }) => encodingOver));
  }

  get entries(): readonly FilmEntry[] {
    return this.#films.filter(({ isLost }) => isLost !== true).map((film) => this.#entryOf(film));
  }

  /** Of the servers that pages fetch films from, besides this one. */
  get otherOrigins(): readonly string[] {
    return [...new Set(this.#films.flatMap(({ otherOrigins }) => otherOrigins))];
  }

  mounted(name: string): Mount | null {
    return this.mounts.find((film) => film.name === name) ?? null;
  }

  add(film: Film): void {
    this.#films.push(film);
  }

  remove(film: Film): void {
    const index = this.#films.indexOf(film);
    if (index !== -1) this.#films.splice(index, 1);
  }

  #entryOf(film: Film): FilmEntry {
    const { name, title, durationSeconds, manifest, directory, prepare, place = name } = film;
    const folder = film === this.root ? "/media/" : `/media/${place}/`;
    return {
      name,
      title,
      manifestUrl: directory === null ? manifest : `${folder}${encodeURIComponent(manifest)}`,
      durationSeconds,
      isElsewhere: directory === null,
      isPrepared: prepare !== undefined,
      isAdded: isAdded(film),
    };
  }
}

/** Whether a viewer added it. */
export function isAdded({ place }: Pick<Film, "place">): boolean {
  return place?.startsWith(`${DROPPED}/`) === true;
}
