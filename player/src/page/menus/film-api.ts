import type { FilmEntry } from "../../options/server-config.ts";
import { askServer } from "../ask-server.ts";

/** The films of the menu as they are now. Throws an Error with one sentence for the viewer. */
export async function fetchFilms(signal: AbortSignal): Promise<readonly FilmEntry[]> {
  const response = await askServer("/api/films", { cache: "no-store", signal });
  const { films } = (await response.json()) as { readonly films: readonly FilmEntry[] };
  return films;
}

/** For everybody, and for good. Throws as fetchFilms does. */
export async function removeFilm(name: string): Promise<void> {
  await askServer(`/api/films/${encodeURIComponent(name)}`, { method: "DELETE" });
}
