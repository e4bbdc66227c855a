import { readdirSync, rmdirSync, rmSync, statSync } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { join, posix, relative, sep } from "node:path";
import { Refusal } from "../errors.ts";
import { PARTIAL } from "./pulled-file.ts";
import type { KeptFilm, Part, SpareDisk } from "./spare-disk.ts";

export interface KeptLimits {
  /** Of one file. */
  readonly fileBytes: number;
  /** Of all, those that are still coming at `fileBytes`. */
  readonly totalBytes: number;
  /** What each file counts at least, and each folder in its path: empty ones take place, too. */
  readonly leastBytes: number;
}

interface KeptPartsOptions {
  readonly directory: string;
  /** Its names that are not kept here. */
  readonly except: readonly string[];
  readonly limits: KeptLimits;
  /** That all films are on. */
  readonly disk: SpareDisk;
  readonly nowMs: () => number;
}

interface CountedPart extends Part {
  /** As they count for the film. */
  readonly bytes: number;
}

/** Whoever was told that a part is there comes for it within this. */
const SPARED_MS = 10_000;

/** The parts of a film in a folder. Where there is no room for another one, those go that were not used for longest. */
export class KeptParts implements KeptFilm {
  readonly #options: KeptPartsOptions;
  /** By path; the one that was not used for longest stands first. */
  readonly #parts = new Map<string, CountedPart>();
  readonly #coming = new Set<string>();
  #takenBytes = 0;

  /** Takes what lies there from before; what was left half-fetched is removed. */
  constructor(options: KeptPartsOptions) {
    this.#options = options;
    const { directory, except, disk, nowMs } = options;
    const found: { path: string; bytes: number; usedAtMs: number }[] = [];
    for (const entry of readdirSync(directory, { withFileTypes: true, recursive: true })) {
      const file = join(entry.parentPath, entry.name);
      const path = relative(directory, file).split(sep).join("/");
      if (!entry.isFile() || except.includes(path)) continue;
      if (entry.name.startsWith(PARTIAL)) {
        rmSync(file, { force: true });
        continue;
      }
      const { size, atimeMs, mtimeMs } = statSync(file);
      found.push({ path, bytes: size, usedAtMs: Math.max(atimeMs, mtimeMs) });
    }
    found.sort((one, other) => one.usedAtMs - other.usedAtMs);
    const startedMs = Date.now();
    for (const { path, bytes, usedAtMs } of found)
      this.#note(path, bytes, nowMs() - Math.max(SPARED_MS, startedMs - usedAtMs));
    disk.add(this);
  }

  /** Whether a part is there; it counts as used. */
  async has(path: string): Promise<boolean> {
    const part = this.#parts.get(path);
    if (part === undefined) return false;
    this.#parts.delete(path); // and in again, as the last one
    this.#parts.set(path, { ...part, usedAtMs: this.#options.nowMs() });
    if (await isFile(join(this.#options.directory, path))) return true;
    this.#forget(path);
    return false;
  }

  /**
   * Makes room for a part, and has it put there.
   *
   * @param put tells its bytes
   * @throws Refusal 503 if all others were used just now, and whatever `put` throws
   */
  async add(path: string, put: () => Promise<number>): Promise<void> {
    const { disk } = this.#options;
    try {
      await this.#take(path, put);
    } catch (error) {
      await disk.onRefused(error);
      throw error;
    }
    await disk.onPart(this.#parts.get(path)?.diskBytes ?? 0);
  }

  longestUnused(): Part | null {
    const [part] = this.#parts.values();
    return part === undefined || this.#options.nowMs() - part.usedAtMs < SPARED_MS ? null : part;
  }

  async removeLongestUnused(): Promise<void> {
    const [path] = this.#parts.keys();
    if (path === undefined) return;
    this.#forget(path);
    await rm(join(this.#options.directory, path), { force: true });
    this.#removeEmptyFolders(path);
  }

  async #take(path: string, put: () => Promise<number>): Promise<void> {
    const { fileBytes } = this.#options.limits;
    this.#takenBytes += fileBytes;
    this.#coming.add(path);
    try {
      await this.#makeRoom();
      this.#note(path, await put(), this.#options.nowMs());
    } finally {
      this.#takenBytes -= fileBytes;
      this.#coming.delete(path);
      if (!this.#parts.has(path)) this.#removeEmptyFolders(path);
    }
  }

  /** Removes all that are whole; at once, so that none of them comes again meanwhile. */
  clear(): void {
    for (const path of [...this.#parts.keys()]) this.remove(path);
  }

  remove(path: string): void {
    this.#forget(path);
    rmSync(join(this.#options.directory, path), { force: true });
    this.#removeEmptyFolders(path);
  }

  async #makeRoom(): Promise<void> {
    const { totalBytes } = this.#options.limits;
    while (this.#takenBytes > totalBytes) {
      if (this.longestUnused() === null)
        throw new Refusal(503, `parts of the film fill ${totalBytes} bytes: try again`, {
          retryAfterSeconds: 5,
        });
      await this.removeLongestUnused();
    }
  }

  #note(path: string, bytes: number, usedAtMs: number): void {
    this.#forget(path);
    const counted = Math.max(bytes, this.#options.limits.leastBytes * path.split("/").length);
    this.#parts.set(path, { bytes: counted, diskBytes: Math.max(bytes, 1), usedAtMs });
    this.#takenBytes += counted;
  }

  #forget(path: string): void {
    this.#takenBytes -= this.#parts.get(path)?.bytes ?? 0;
    this.#parts.delete(path);
  }

  /** Of those in a path; at once, so that nobody puts a file there meanwhile. */
  #removeEmptyFolders(path: string): void {
    for (let folder = posix.dirname(path); folder !== "."; folder = posix.dirname(folder)) {
      if ([...this.#coming].some((each) => each.startsWith(`${folder}/`))) return;
      try {
        rmdirSync(join(this.#options.directory, folder));
      } catch {
        return; // it is not empty, or not there
      }
    }
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
