import type { FilmEntry } from "../../options/server-config.ts";
import { followSignals } from "../../session/follow-signals.ts";
import { askServer } from "../ask-server.ts";

interface FilmsAnswer {
  readonly films: readonly FilmEntry[];
  readonly retryAfterSeconds: number | null;
}

/** An answer that takes longer is given up. */
const ANSWER_MS = 5_000;
/** Gigabytes are removed before the server answers. */
const REMOVAL_MS = 30_000;

/** The films of the menu as they are now. Throws an Error with one sentence for the viewer. */
export async function fetchFilms(): Promise<readonly FilmEntry[]> {
  return (await fetchAnswer(AbortSignal.timeout(ANSWER_MS))).films;
}

/** How soon to ask again before a film is sent, since the server packages another one; null: now. Throws as fetchFilms does. */
export async function fetchWaitSeconds(signal: AbortSignal): Promise<number | null> {
  const cancel = new AbortController();
  const endFollowing = followSignals(cancel, signal, AbortSignal.timeout(ANSWER_MS));
  try {
    return (await fetchAnswer(cancel.signal)).retryAfterSeconds;
  } finally {
    endFollowing();
  }
}

/** For everybody, and for good. Throws as fetchFilms does. */
export async function removeFilm(name: string): Promise<void> {
  const signal = AbortSignal.timeout(REMOVAL_MS);
  await askServer(`/api/films/${encodeURIComponent(name)}`, { method: "DELETE", signal });
}

async function fetchAnswer(signal: AbortSignal): Promise<FilmsAnswer> {
  return (await (await askServer("/api/films", { cache: "no-store", signal })).json()) as FilmsAnswer;
}
