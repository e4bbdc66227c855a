import { createWriteStream } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { isDiskFull } from "../../media/disk-space.ts";
import { Refusal } from "../errors.ts";
import { reasonOf } from "./remote-film.ts";

export interface Pull {
  readonly url: URL;
  /** Absolute; it is there whole or not at all. */
  readonly file: string;
  readonly mostBytes: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** How the names begin of files that are not whole. */
export const PARTIAL = ".pull-";

let pulls = 0;

/**
 * Fetches one file. A redirect is not followed: where it leads, nobody has looked.
 *
 * @returns its bytes
 * @throws Refusal: 404 if it is not there, 502 if it cannot be had, 507 if there is no room for it
 */
export async function pullFile({ url, file, mostBytes, timeoutMs, signal }: Pull): Promise<number> {
  pulls += 1;
  const partial = join(dirname(file), `${PARTIAL}${process.pid}-${pulls}`);
  try {
    const response = await fetch(url, {
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    if (!response.ok || response.body === null) {
      await response.body?.cancel();
      throw refusalFor(response.status, url);
    }
    await mkdir(dirname(file), { recursive: true });
    const counter = new ByteLimit(mostBytes, url);
    await pipeline(Readable.fromWeb(response.body), counter, createWriteStream(partial, { flags: "wx" }));
    await rename(partial, file);
    return counter.bytes;
  } catch (error) {
    await rm(partial, { force: true });
    throw explained(error, url);
  }
}

function refusalFor(status: number, url: URL): Refusal {
  if (status === 404 || status === 410) return new Refusal(404, "Not Found");
  return new Refusal(502, `${url.host} answered ${status} for a part of the film`);
}

function explained(error: unknown, url: URL): unknown {
  if (error instanceof Refusal) return error;
  if (isDiskFull(error)) return new Refusal(507, "the disk is full: free some space for the film");
  const reason = reasonOf(error);
  if (["ENOTDIR", "EISDIR", "ENAMETOOLONG"].includes(reason)) return new Refusal(404, "Not Found");
  return new Refusal(502, `${url.host} does not give a part of the film (${reason})`);
}

/** Lets so many bytes through, and then ends with a Refusal. */
class ByteLimit extends Transform {
  bytes = 0;
  readonly #mostBytes: number;
  readonly #url: URL;

  constructor(mostBytes: number, url: URL) {
    super();
    this.#mostBytes = mostBytes;
    this.#url = url;
  }

  override _transform(
    part: Buffer,
    _encoding: string,
    done: (error?: Error | null, part?: Buffer) => void,
  ): void {
    this.bytes += part.length;
    if (this.bytes > this.#mostBytes)
      done(
        new Refusal(502, `${this.#url.host} gives a part of the film of more than ${this.#mostBytes} bytes`),
      );
    else done(null, part);
  }
}
