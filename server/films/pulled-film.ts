import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Problem } from "../problem.mjs";
import { type Film, nameFor } from "./film.ts";
import { requireServed } from "./folder-film.ts";
import { availabilityStartTimeOf, locationOutside } from "./manifest-facts.ts";
import { PULL_LIMITS, Puller, type PullLimits } from "./puller.ts";
import { type RemoteManifest, titleOf } from "./remote-film.ts";
import type { SpareDisk } from "./spare-disk.ts";

interface PulledFilmOptions {
  /** Pulled films lie in folders of their own in here. */
  readonly root: string;
  /** That the root is on. */
  readonly disk: SpareDisk;
  readonly taken: readonly string[];
  readonly signal: AbortSignal;
  readonly limits?: PullLimits;
  readonly nowMs?: () => number;
}

/**
 * A film of another server whose files are fetched into a folder here when they are asked for. Only files below the folder
 * of its manifest are, with names that media have, and nothing that anybody asks changes the server or the folder.
 *
 * @throws Problem if the manifest's files are not all below its folder, or if they are no segments
 */
export function pulledFilm(
  remote: RemoteManifest,
  { root, disk, taken, signal, limits = PULL_LIMITS, nowMs = () => performance.now() }: PulledFilmOptions,
): Film {
  const { url, facts } = remote;
  const outside = locationOutside(facts);
  if (outside !== null)
    throw new Problem(
      `the film ${url} names ${outside}, outside its folder: --pull takes films of one folder`,
    );
  if (facts.isByRange)
    throw new Problem(
      `the film ${url} keeps each representation in one file: --pull takes films of segments`,
    );
  requireServed(facts, `the film ${url}`);
  const directory = join(root, createHash("sha256").update(url.href).digest("hex").slice(0, 16));
  const manifest = "manifest.mpd";
  if (facts.isLive || !isOf(remote, join(directory, manifest)))
    rmSync(directory, { force: true, recursive: true });
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, manifest), remote.text);
  const title = titleOf(remote);
  const puller = new Puller({
    url,
    directory,
    manifest,
    isLive: facts.isLive,
    availabilityStartTime: availabilityStartTimeOf(remote.text),
    limits,
    disk,
    signal,
    nowMs,
  });
  return {
    name: nameFor(title, taken),
    title,
    durationSeconds: facts.durationSeconds,
    manifest,
    directory,
    isPackagedHere: false,
    otherOrigins: [],
    prepare: (path, address) => puller.require(path, address),
  };
}

/** Whether the parts beside a kept manifest are those of this one. */
function isOf({ text }: RemoteManifest, manifest: string): boolean {
  return existsSync(manifest) && readFileSync(manifest, "utf8") === text;
}
