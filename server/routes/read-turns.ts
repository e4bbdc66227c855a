import * as fs from "node:fs";

/** Node has four threads for all that waits for a disk: what others ask of one finds the fourth. */
const READS_AT_ONCE = 3;

type Done = (error: Error | null, bytes: number, buffer: Buffer) => void;

/** Of `fs`, what is needed. */
export interface Files {
  read(
    descriptor: number,
    buffer: Buffer,
    offset: number,
    length: number,
    position: number | null,
    done: Done,
  ): void;
  close(descriptor: number, done: (error: Error | null) => void): void;
}

/**
 * `fs` for streams, of files' parts. The first part of a file is read at once, further ones in turns: a crowd that downloads
 * keeps nobody waiting who only comes, since a page, or the beginning of a film, is one part.
 */
export class ReadTurns implements Files {
  readonly #files: Files;
  readonly #begun = new Set<number>();
  readonly #waiting: (() => void)[] = [];
  #inProgress = 0;

  constructor(files: Files = fs) {
    this.#files = files;
  }

  /** As `fs.read`. */
  readonly read: Files["read"] = (descriptor, buffer, offset, length, position, done) => {
    if (!this.#begun.has(descriptor)) {
      this.#begun.add(descriptor);
      this.#files.read(descriptor, buffer, offset, length, position, done);
      return;
    }
    this.#waiting.push(() =>
      this.#files.read(descriptor, buffer, offset, length, position, (...result) => {
        this.#inProgress -= 1;
        this.#next();
        done(...result);
      }),
    );
    this.#next();
  };

  /** As `fs.close`. */
  readonly close: Files["close"] = (descriptor, done) => {
    this.#begun.delete(descriptor);
    this.#files.close(descriptor, done);
  };

  #next(): void {
    if (this.#inProgress >= READS_AT_ONCE) return;
    const begin = this.#waiting.shift();
    if (begin === undefined) return;
    this.#inProgress += 1;
    begin();
  }
}
