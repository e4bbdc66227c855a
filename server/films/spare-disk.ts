import { Refusal } from "../errors.ts";
import { reasonOf } from "./remote-film.ts";

export interface Part {
  /** That it takes of the disk; 1 at least. What it counts for the film may be more by far. */
  readonly diskBytes: number;
  readonly usedAtMs: number;
}

/** A film's parts, which may go. */
export interface KeptFilm {
  /** The part that was not used for longest; null where all were used just now. */
  longestUnused(): Part | null;
  removeLongestUnused(): Promise<void>;
}

interface SpareDiskOptions {
  /** To be left to whatever else the disk is for. */
  readonly leastFreeBytes: number;
  readonly freeBytes: () => Promise<number>;
  /** Says what went wrong. */
  readonly tell: (text: string) => void;
}

/** For each byte that comes so many go: what others have taken of it is free again in time. */
const GOING_FOR_COMING = 2;

/** For each part that finds the disk full. */
const PARTS_FOR_A_FULL_DISK = 2;

/**
 * Leaves some of a disk free: for what comes, parts go that were not used for longest, of whatever film. What goes is bounded
 * by what comes, since a disk may tell late of what it has freed.
 */
export class SpareDisk {
  readonly #options: SpareDiskOptions;
  readonly #films = new Set<KeptFilm>();
  /** What may still go for what has come. */
  #dueBytes = 0;
  #isTold = false;

  constructor(options: SpareDiskOptions) {
    this.#options = options;
  }

  add(film: KeptFilm): void {
    this.#films.add(film);
  }

  /** A part of so many bytes has come. */
  async onPart(bytes: number): Promise<void> {
    let missingBytes = await this.#missingBytes();
    if (missingBytes <= 0) {
      this.#dueBytes = 0;
      return;
    }
    this.#dueBytes += GOING_FOR_COMING * bytes;
    while (missingBytes > 0) {
      const goneBytes = await this.#removeOne(this.#dueBytes);
      if (goneBytes === 0) return;
      missingBytes -= goneBytes;
    }
  }

  /** A part has not come; where the disk was full, the next one finds room. */
  async onRefused(reason: unknown): Promise<void> {
    if (!(reason instanceof Refusal) || reason.status !== 507) return;
    for (let parts = 0; parts < PARTS_FOR_A_FULL_DISK; parts += 1)
      await this.#removeOne(Number.POSITIVE_INFINITY);
  }

  /** @returns 0 where it cannot be told, too */
  async #missingBytes(): Promise<number> {
    const { leastFreeBytes, freeBytes, tell } = this.#options;
    try {
      return leastFreeBytes - (await freeBytes());
    } catch (error) {
      if (!this.#isTold)
        tell(
          `what the disk of pulled films has free is not known (${reasonOf(error)}): none of it is left to others`,
        );
      this.#isTold = true;
      return 0;
    }
  }

  /** @returns the bytes of the part that went; 0 where none may go, or only a larger one */
  async #removeOne(mostBytes: number): Promise<number> {
    let oldest: { film: KeptFilm; part: Part } | null = null;
    for (const film of this.#films) {
      const part = film.longestUnused();
      if (part !== null && (oldest === null || part.usedAtMs < oldest.part.usedAtMs)) oldest = { film, part };
    }
    if (oldest === null) {
      this.#dueBytes = 0; // nothing is saved up for later
      return 0;
    }
    if (oldest.part.diskBytes > mostBytes) return 0;
    const { film, part } = oldest;
    this.#dueBytes = Math.max(0, this.#dueBytes - part.diskBytes);
    await film.removeLongestUnused();
    return part.diskBytes;
  }
}
