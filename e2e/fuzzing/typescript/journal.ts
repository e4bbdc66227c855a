import { closeSync, ftruncateSync, openSync, writeSync } from "node:fs";

/** Inputs since the subject began, on disk before they are fed; the format is that of `../journal.py`. */
export class Journal {
  readonly #file: number;
  #at = 0;

  constructor(file: string) {
    this.#file = openSync(file, "w");
  }

  /** Another subject takes over: what was fed before leads to nothing. */
  begin(): void {
    ftruncateSync(this.#file);
    this.#at = 0;
  }

  /** Call it before the input is fed. */
  note(data: Uint8Array): void {
    const record = Buffer.alloc(4 + data.length);
    record.writeUInt32BE(data.length);
    record.set(data, 4);
    this.#at += writeSync(this.#file, record, 0, record.length, this.#at);
  }

  close(): void {
    closeSync(this.#file);
  }
}
