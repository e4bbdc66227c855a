/** `node --import tsx main.ts`: plays one film. Reads an OpenMessage, then StepMessages; an empty object asks for the end. */

import { createInterface } from "node:readline";
import type { Film } from "./film.ts";
import { FilmError, readFilm } from "./film-folder.ts";
import type { OpenMessage, StepMessage } from "./messages.ts";
import { VirtualPlayer } from "./player.ts";

for (const name of ["log", "info", "debug", "warn"] as const) console[name] = console.error; // dash.js's own words are no answers
const answer = (message: unknown): boolean => process.stdout.write(`${JSON.stringify(message)}\n`);

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

async function next<Message>(): Promise<Message | null> {
  const { value, done } = await lines.next();
  return done === true ? null : (JSON.parse(value) as Message);
}

/** Ends the process with a sentence where there is none. */
function filmIn(folder: string): Film {
  try {
    return readFilm(folder);
  } catch (error) {
    if (!(error instanceof FilmError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

const choices = await next<OpenMessage>();
if (choices !== null) {
  const film = filmIn(choices.folder);
  const player = await VirtualPlayer.open(film, choices);
  answer({});
  for (let message = await next<StepMessage>(); message !== null; message = await next<StepMessage>()) {
    answer("untilMs" in message ? await player.step(message) : player.played());
  }
}
process.exit(0);
