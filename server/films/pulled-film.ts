import { createHash } from "node:crypto";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Refusal } from "../errors.ts";
import { Problem } from "../setup/problem.ts";
import { type Film, nameFor } from "./film.ts";
import { locationOutside } from "./manifest-facts.ts";
import { isMediaPath } from "./media-path.ts";
import { pullFile } from "./pulled-file.ts";
import { type RemoteManifest, titleOf } from "./remote-film.ts";

export interface PullLimits {
  readonly fileBytes: number;
  readonly totalBytes: number;
  /** Fetches under way, and requests that wait for one. */
  readonly atOnce: number;
  readonly waiting: number;
  readonly timeoutMs: number;
}

export const PULL_LIMITS: PullLimits = {
  fileBytes: 64 * 1024 * 1024,
  totalBytes: 16 * 1024 ** 3,
  atOnce: 8,
  waiting: 64,
  timeoutMs: 20_000,
};

/** A live manifest is fetched again when it is older. */
const LIVE_MANIFEST_MS = 1000;

interface PulledFilmOptions {
  /** Pulled films lie in folders of their own in here. */
  readonly root: string;
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
  { root, taken, signal, limits = PULL_LIMITS, nowMs = Date.now }: PulledFilmOptions,
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
  const directory = join(root, createHash("sha256").update(url.href).digest("hex").slice(0, 16));
  const manifest = "manifest.mpd";
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, manifest), remote.text);
  const title = titleOf(remote);
  const puller = new Puller({ url, directory, limits, signal });
  return {
    name: nameFor(title, taken),
    title,
    durationSeconds: facts.durationSeconds,
    manifest,
    directory,
    isPackagedHere: false,
    otherOrigins: [],
    prepare: async (path) => {
      if (path !== manifest) return puller.require(path);
      if (!facts.isLive) return;
      if (nowMs() - statSync(join(directory, manifest)).mtimeMs > LIVE_MANIFEST_MS)
        await puller.fetch(manifest, url);
    },
  };
}

interface PullerOptions {
  readonly url: URL;
  readonly directory: string;
  readonly limits: PullLimits;
  readonly signal: AbortSignal;
}

/** Fetches each file once, some at a time, up to a sum. */
export class Puller {
  readonly #options: PullerOptions;
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #storedBytes: Promise<number> | null = null;

  constructor(options: PullerOptions) {
    this.#options = options;
  }

  /** Has the file at a path. Throws a Refusal: 404, 502, 503 if too many ask, 507 if there is no room. */
  async require(path: string): Promise<void> {
    const { url, directory } = this.#options;
    if (!isMediaPath(path)) throw new Refusal(404, "Not Found");
    if (await isFile(join(directory, path))) return;
    const place = path.split("/").map(encodeURIComponent).join("/");
    await this.fetch(path, new URL(place, url));
  }

  /** Fetches it in any case, unless that is under way. */
  fetch(path: string, url: URL): Promise<void> {
    const known = this.#underWay.get(path);
    if (known !== undefined) return known;
    const pull = this.#fetch(path, url).finally(() => this.#underWay.delete(path));
    this.#underWay.set(path, pull);
    return pull;
  }

  async #fetch(path: string, url: URL): Promise<void> {
    const { directory, limits, signal } = this.#options;
    await this.#turn();
    try {
      this.#storedBytes ??= bytesIn(directory);
      const stored = await this.#storedBytes;
      if (stored + limits.fileBytes > limits.totalBytes)
        throw new Refusal(507, `the film takes more than ${limits.totalBytes} bytes: no more of it is kept`);
      const { fileBytes: mostBytes, timeoutMs } = limits;
      const bytes = await pullFile({ url, file: join(directory, path), mostBytes, timeoutMs, signal });
      this.#storedBytes = this.#storedBytes.then((sum) => sum + bytes);
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  async #turn(): Promise<void> {
    const { atOnce, waiting } = this.#options.limits;
    if (this.#running >= atOnce) {
      if (this.#waiting.length >= waiting)
        throw new Refusal(503, "too many parts of the film are asked for: try again", {
          retryAfterSeconds: 1,
        });
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#running += 1;
  }
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (["ENOENT", "ENOTDIR", "ENAMETOOLONG"].includes(code ?? "")) return false;
    throw error;
  }
}

/** What lies there from before; what was left half-fetched is removed. */
async function bytesIn(directory: string): Promise<number> {
  let sum = 0;
  for (const entry of await readdir(directory, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile()) continue;
    if (entry.name.startsWith(".pull-")) await rm(path, { force: true });
    else sum += (await stat(path)).size;
  }
  return sum;
}
