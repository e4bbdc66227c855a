import { type Film, packagedFilm } from "./film.ts";

/** What the page is told of a film. */
export interface FilmEntry {
  readonly name: string;
  readonly title: string;
  readonly manifestUrl: string;
  readonly durationSeconds: number | null;
  /** Whether it plays from another server, over HTTP. */
  readonly isElsewhere: boolean;
  /** Whether a segment has to be asked for over HTTP, by HEAD, before the media server has it. */
  readonly isPrepared: boolean;
}

/** The films that are served, in the order of the menu. */
export class FilmShelf {
  readonly #films: Film[];

  constructor(films: readonly Film[]) {
    this.#films = [...films];
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
    return this.#films.find(({ isPackagedHere }) => isPackagedHere) ?? null;
  }

  /** Those that lie below their names. */
  get mounts(): readonly (Film & { readonly directory: string })[] {
    const { root } = this;
    return this.#films.filter(
      (film): film is Film & { directory: string } => film !== root && film.directory !== null,
    );
  }

  get entries(): readonly FilmEntry[] {
    return this.#films.map((film) => this.#entryOf(film));
  }

  /** Of the servers that pages fetch films from, besides this one. */
  get otherOrigins(): readonly string[] {
    return [...new Set(this.#films.flatMap(({ otherOrigins }) => otherOrigins))];
  }

  mounted(name: string): Film | null {
    return this.mounts.find((film) => film.name === name) ?? null;
  }

  add(film: Film): void {
    this.#films.push(film);
  }

  #entryOf(film: Film): FilmEntry {
    const { name, title, durationSeconds, manifest, directory, prepare } = film;
    const place = film === this.root ? "/media/" : `/media/${name}/`;
    return {
      name,
      title,
      manifestUrl: directory === null ? manifest : `${place}${encodeURIComponent(manifest)}`,
      durationSeconds,
      isElsewhere: directory === null,
      isPrepared: prepare !== undefined,
    };
  }
}
