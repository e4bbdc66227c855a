/**
 * `node server/setup/run-compiled.mjs e2e/virtual-player/about.ts FOLDER...`: prints the adaptation rules and what the films are,
 * or lack, as JSON.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BUFFER_TARGET_SECONDS, topQualityBufferSeconds } from "../../player/src/dash/player-settings.ts";
import { REBUFFER_PENALTY } from "../../player/src/qoe/linear-qoe.ts";
import { RULES } from "../../player/src/rules/registry.ts";
import { ROOT } from "../../server/setup/clone.mjs";
import type { FilmRung } from "./film.ts";
import { FilmError, readFilm } from "./film-folder.ts";
import type { AboutMessage, FilmMessage, RungMessage } from "./messages.ts";
import { CHOSEN } from "./nuwa-constants.ts";

function about(folder: string): FilmMessage {
  try {
    const { files, rungs, tracks } = readFilm(folder);
    const seconds = Math.max(...[...files.values()].map(({ endSeconds }) => endSeconds));
    return {
      seconds,
      topBufferSeconds: topQualityBufferSeconds(seconds),
      rungs: rungs.map(rungMessage),
      tracks,
      problem: null,
    };
  } catch (error) {
    if (!(error instanceof FilmError)) throw error;
    return { seconds: 0, topBufferSeconds: 0, rungs: [], tracks: [], problem: error.message };
  }
}

function rungMessage({ bitsPerSecond, segments }: FilmRung): RungMessage {
  return {
    bitsPerSecond,
    segmentBytes: segments.map(({ bytes }) => bytes),
    segmentEndsSeconds: segments.map(({ endSeconds }) => endSeconds),
  };
}

function dashjsVersion(): string {
  const description = readFileSync(join(ROOT, "node_modules", "dashjs", "package.json"), "utf8");
  return (JSON.parse(description) as { version: string }).version;
}

const message: AboutMessage = {
  bufferSeconds: BUFFER_TARGET_SECONDS,
  rebufferPenalty: REBUFFER_PENALTY,
  nuwaConstants: CHOSEN,
  rules: RULES.map(({ name }) => name),
  versions: { Node: process.versions.node, "dash.js": dashjsVersion() },
  films: process.argv.slice(2).map(about),
};
process.stdout.write(JSON.stringify(message));
