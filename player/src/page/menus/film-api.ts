import type { FilmEntry } from "../../options/server-config.ts";
import { askServer } from "../ask-server.ts";

interface FilmsAnswer {
  readonly films: readonly FilmEntry[];
  readonly retryAfterSeconds: number | null;
}

/** The films of the menu as they are now. Throws an Error with one sentence for the viewer. */
export async function fetchFilms(signal: AbortSignal): Promise<readonly FilmEntry[]> {
  return (await fetchAnswer(signal)).films;
}

/** How soon to ask again before a film is sent, since the server packages another one; null: now. Throws as fetchFilms does. */
export async function fetchWaitSeconds(signal: AbortSignal): Promise<number | null> {
  return (await fetchAnswer(signal)).retryAfterSeconds;
}

/** For everybody, and for good. Throws as fetchFilms does. */
export async function removeFilm(name: string): Promise<void> {
  await askServer(`/api/films/${encodeURIComponent(name)}`, { method: "DELETE" });
}

async function fetchAnswer(signal: AbortSignal): Promise<FilmsAnswer> {
  return (await (await askServer("/api/films", { cache: "no-store", signal })).json()) as FilmsAnswer;
}
