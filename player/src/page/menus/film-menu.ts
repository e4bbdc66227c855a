import type { FilmEntry, ServerConfig } from "../../options/server-config.ts";
import { say } from "../controls/viewer-actions.ts";
import { queryNow } from "../dom/address-bar.ts";
import { elementById } from "../dom/elements.ts";
import type { Notice } from "../dom/notice.ts";
import { oneAtATime } from "../dom/one-at-a-time.ts";
import { isolated } from "../words/isolated.ts";
import { fetchFilms, removeFilm } from "./film-api.ts";

/** How soon a page sees that a film was added, or removed. */
const LOOK_INTERVAL_MS = 10_000;
const MATTER = "removed film";

/** The query that plays this film, or the first one, beside whatever else it says. */
export function withFilm(query: URLSearchParams, name: string | null): string {
  const next = new URLSearchParams(query);
  if (name === null) {
    next.delete("film");
  } else {
    next.set("film", name);
  }
  return next.toString();
}

export interface FilmMenuOptions {
  readonly config: Pick<ServerConfig, "films" | "film" | "takesFilms">;
  readonly query: URLSearchParams;
  readonly notice: Notice;
  /** The film that plays is not there any more; one sentence. */
  readonly onRemoved: (sentence: string) => void;
}

/**
 * The menu of films, which is there with two or more, and where the one that plays is none of them. Another one is played by
 * another address, so it takes a button: who walks through the menu by keys, and listens to each entry, keeps the film
 * meanwhile. Films that others add or remove come and go.
 */
export class FilmMenu {
  readonly #options: FilmMenuOptions;
  readonly #select = elementById("film-choice", HTMLSelectElement);
  readonly #play = elementById("film-play", HTMLButtonElement);
  readonly #remove = elementById("film-remove", HTMLButtonElement);
  #films: readonly FilmEntry[];
  /** null once it was removed, and where the address names none. */
  #played: FilmEntry | null;

  constructor(options: FilmMenuOptions) {
    this.#options = options;
    const { films, film } = options.config;
    this.#films = films;
    const playing = options.query.get("film") ?? film?.name ?? null;
    this.#played = films.find(({ name }) => name === playing) ?? null;
    this.#play.onclick = () => {
      location.search = withFilm(queryNow(), this.#select.value);
    };
    this.#remove.onclick = () => void this.#removeChosen();
    this.#select.onchange = () => this.#showButtons();
    this.#show(playing);
    const look = oneAtATime(() => this.#look());
    setInterval(() => void look(), LOOK_INTERVAL_MS);
    document.addEventListener("visibilitychange", () => void look());
  }

  async #look(): Promise<void> {
    if (document.hidden) {
      return;
    }
    const before = this.#films;
    // The server is away, or a film was removed here meanwhile: the next look tells.
    const films = await fetchFilms().catch(() => null);
    if (films !== null && this.#films === before) {
      this.#take(films);
    }
  }

  #take(films: readonly FilmEntry[]): void {
    this.#films = films;
    const played = this.#played;
    const isGone = played !== null && !films.some((film) => isSame(film, played));
    if (isGone) {
      this.#played = null;
      const isMoved = films.some(({ name }) => name === played.name);
      this.#options.onRemoved(
        isMoved
          ? `${isolated(played.title)} is not where it was on the server: reload the page.`
          : `${isolated(played.title)} was removed from the server: what has come of it plays on; choose another film.`,
      );
    }
    this.#show(this.#select.value);
  }

  #show(chosen: string | null): void {
    const films = this.#films;
    const shown = [...this.#select.options].map(({ value, text }) => [value, text]);
    const wanted = films.map((film) => [film.name, filmLabel(film, films)]);
    if (JSON.stringify(shown) !== JSON.stringify(wanted)) {
      this.#select.replaceChildren(...wanted.map(([name, label]) => new Option(label, name)));
      const next = [chosen, this.#played?.name].find((name) => films.some((film) => film.name === name));
      this.#select.value = next ?? films[0]?.name ?? "";
    }
    const isMenu = films.length > (this.#played === null ? 0 : 1) || films.some(({ isAdded }) => isAdded);
    elementById("films", HTMLElement).hidden = !isMenu;
    elementById("title", HTMLElement).hidden = isMenu;
    this.#showButtons();
  }

  #showButtons(): void {
    const chosen = this.#chosen();
    this.#play.hidden = chosen === null || isSame(chosen, this.#played);
    this.#remove.hidden = chosen === null || !chosen.isAdded || !this.#options.config.takesFilms;
  }

  #chosen(): FilmEntry | null {
    return this.#films.find(({ name }) => name === this.#select.value) ?? null;
  }

  async #removeChosen(): Promise<void> {
    const { notice } = this.#options;
    const film = this.#chosen();
    if (
      film === null ||
      !confirm(`Remove ${isolated(film.title)} from the server, for everybody and for good?`)
    ) {
      return;
    }
    try {
      await removeFilm(film.name);
      notice.clear(MATTER);
    } catch (error) {
      notice.show(error instanceof Error ? error.message : String(error), MATTER);
      return;
    }
    if (isSame(film, this.#played)) {
      location.search = withFilm(queryNow(), null);
      return;
    }
    this.#select.focus(); // the button goes away
    this.#take(this.#films.filter((one) => one !== film));
    say(`${isolated(film.title)} is removed`);
  }
}

/** A film that grows has another manifest in its folder once it is whole. */
function isSame(film: FilmEntry, other: FilmEntry | null): boolean {
  const folderOf = ({ manifestUrl }: FilmEntry) => manifestUrl.slice(0, manifestUrl.lastIndexOf("/"));
  return film.name === other?.name && folderOf(film) === folderOf(other);
}

/** As the menu has it: with its name in addresses where others have its title, too. */
export function filmLabel(film: FilmEntry, films: readonly FilmEntry[]): string {
  const { name, title, durationSeconds, isElsewhere } = film;
  const isOneOfMany = films.some((other) => other.name !== name && other.title === title);
  const about = [
    durationSeconds === null ? "live" : lengthText(durationSeconds),
    ...(isElsewhere ? ["from its own server"] : []),
    ...(isOneOfMany ? [name] : []),
  ];
  return `${isolated(title)} (${about.join(", ")})`;
}

function lengthText(seconds: number): string {
  return seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}
