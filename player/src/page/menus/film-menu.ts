import type { FilmEntry, ServerConfig } from "../../options/server-config.ts";
import { queryNow } from "../dom/address-bar.ts";
import { elementById } from "../dom/elements.ts";

/** The query that plays this film, beside whatever else it says. */
export function withFilm(query: URLSearchParams, name: string): string {
  const next = new URLSearchParams(query);
  next.set("film", name);
  return next.toString();
}

/**
 * Fills the menu of films, which is there with two or more. Another one is played by another address, so it takes a button: who
 * walks through the menu by keys, and listens to each entry, keeps the film meanwhile.
 */
export function offerFilms(
  { films, film }: Pick<ServerConfig, "films" | "film">,
  query: URLSearchParams,
): void {
  const select = elementById("film-choice", HTMLSelectElement);
  const playing = query.get("film") ?? film?.name;
  select.replaceChildren(
    ...films.map((entry) => new Option(filmLabel(entry), entry.name, false, entry.name === playing)),
  );
  const isMenu = films.length > 1;
  elementById("films", HTMLElement).hidden = !isMenu;
  elementById("title", HTMLElement).hidden = isMenu;
  const play = elementById("film-play", HTMLButtonElement);
  play.onclick = () => {
    location.search = withFilm(queryNow(), select.value);
  };
  select.onchange = () => {
    play.hidden = select.value === playing;
  };
}

/** As the menu has it. */
export function filmLabel({ title, durationSeconds, isElsewhere }: FilmEntry): string {
  const about = [
    durationSeconds === null ? "live" : lengthText(durationSeconds),
    ...(isElsewhere ? ["from its own server"] : []),
  ];
  return `${title} (${about.join(", ")})`;
}

function lengthText(seconds: number): string {
  return seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}
