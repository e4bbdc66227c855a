import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { MediaError } from "./media-error.ts";
import { parseLadder } from "./own-ladder.ts";
import type { PackageFilmOptions } from "./package-film.ts";
import { REPOSITORY } from "./repository.mjs";
import type { FilmSource } from "./source.ts";
import { parseCodec } from "./video-codec.ts";

/** What the command line asks for. */
export interface Request extends Pick<PackageFilmOptions, "ladder" | "keepsAllRungs" | "codec"> {
  /** A film to package, or the folder of one that was packaged. */
  readonly source: FilmSource | { readonly kind: "folder"; readonly path: string };
  readonly outputRoot: string;
  readonly measuresQuality: boolean;
}

/**
 * Undefined when help was asked for. Throws MediaError for arguments that make no sense.
 *
 * @param folder from which paths are meant: npm moves to the clone, and says where it was called
 */
export function parseRequest(
  arguments_: readonly string[],
  folder = process.env.INIT_CWD ?? process.cwd(),
): Request | undefined {
  const { values, positionals } = parseArguments(arguments_);
  if (values.help === true) return undefined;
  const outputRoot = resolve(folder, values.output ?? join(REPOSITORY, ".build", "media"));
  const rungs = {
    ladder: values.ladder === undefined ? undefined : parseLadder(values.ladder, "--ladder"),
    keepsAllRungs: values.ladder !== undefined,
    codec: values.codec === undefined ? undefined : parseCodec(values.codec, "--codec"),
    measuresQuality: values.quality === true,
  };
  const [given, ...others] = positionals;
  const path = given === undefined ? undefined : resolve(folder, given);
  if (others.length > 0)
    throw new MediaError(`One film at a time, not also ${others.join(", ")}; see --help.`);
  if (values.demo === true) {
    if (path !== undefined)
      throw new MediaError(`Give either --demo or the film ${given}, not both; see --help.`);
    if (values.duration === undefined) return { source: { kind: "demo" }, outputRoot, ...rungs };
    return { source: { kind: "demo", durationSeconds: Number(values.duration) }, outputRoot, ...rungs };
  }
  if (values.duration !== undefined) {
    throw new MediaError("--duration is the demo film's length and needs --demo; see --help.");
  }
  if (path === undefined) throw new MediaError("Name a film to package, or give --demo; see --help.");
  const isFolder =
    values.quality === true && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  return { source: { kind: isFolder ? "folder" : "file", path }, outputRoot, ...rungs };
}

function parseArguments(arguments_: readonly string[]) {
  try {
    return parseArgs({
      args: [...arguments_],
      allowPositionals: true,
      options: {
        demo: { type: "boolean" },
        duration: { type: "string" },
        output: { type: "string" },
        ladder: { type: "string" },
        codec: { type: "string" },
        quality: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const [sentence] = error.message.split(". ");
    throw new MediaError(`${sentence}; see --help.`, { cause: error });
  }
}
