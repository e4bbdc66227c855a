/** `node --import tsx about.ts FOLDER...`: prints the adaptation rules and what the films are, or lack, as JSON. */

import { RULES } from "../../player/src/rules/registry.ts";
import { FilmError, readFilm } from "./film-folder.ts";
import type { AboutMessage, FilmMessage } from "./messages.ts";

function about(folder: string): FilmMessage {
  try {
    const { files, lowestBitsPerSecond } = readFilm(folder);
    const seconds = Math.max(...[...files.values()].map(({ endSeconds }) => endSeconds));
    return { seconds, lowestBitsPerSecond, problem: null };
  } catch (error) {
    if (!(error instanceof FilmError)) throw error;
    return { seconds: 0, lowestBitsPerSecond: 0, problem: error.message };
  }
}

const message: AboutMessage = {
  rules: RULES.map(({ name }) => name),
  films: process.argv.slice(2).map(about),
};
process.stdout.write(JSON.stringify(message));
