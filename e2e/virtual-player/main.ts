/**
 * `node server/setup/run-compiled.mjs e2e/virtual-player/main.ts`: plays films, one after the other. Reads an OpenMessage, then
 * StepMessages; an empty object asks what became of the film, and another OpenMessage begins the next one.
 */

import { createInterface } from "node:readline";
import type { Film } from "./film.ts";
import { FilmError, readFilm } from "./film-folder.ts";
import type { OpenMessage, StepMessage } from "./messages.ts";
import { useConstants } from "./nuwa-constants.ts";
import { VirtualPlayer } from "./player.ts";

for (const name of ["log", "info", "debug", "warn"] as const) console[name] = console.error; // dash.js's own words are no answers
const answer = (message: unknown): boolean => process.stdout.write(`${JSON.stringify(message)}\n`);

/** By folder: a film is read once. */
const films = new Map<string, Film>();
let player: VirtualPlayer | null = null;

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line) as OpenMessage | StepMessage | Record<string, never>;
  if ("folder" in message) {
    player?.close();
    useConstants((message as OpenMessage).nuwaConstants);
    player = await VirtualPlayer.open(filmIn(message.folder), message as OpenMessage);
    answer({});
  } else if (player === null) throw new Error("no film is open");
  else if ("untilMs" in message) answer(await player.step(message as StepMessage));
  else answer(player.played());
}
process.exit(0);

/** Ends the process with a sentence where there is none. */
function filmIn(folder: string): Film {
  const known = films.get(folder);
  if (known !== undefined) return known;
  try {
    const film = readFilm(folder);
    films.set(folder, film);
    return film;
  } catch (error) {
    if (!(error instanceof FilmError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
