import { randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm, statfs } from "node:fs/promises";
import { basename, join } from "node:path";
import { type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { holder, isAbandoned, whileWorkedOn } from "../../../media/holder.ts";
import { Refusal } from "../../errors.ts";

/** Hidden: nothing in it is served. */
const PREFIX = ".upload";
/** File systems take 255. */
const LONGEST_NAME_BYTES = 200;

export interface Upload {
  readonly body: Readable;
  /** As the request says; null where it does not. */
  readonly sizeBytes: number | null;
  /** Of the file where it comes from; what is no plain name in it is left out. */
  readonly name: string;
  readonly root: string;
  readonly mostBytes: number;
  readonly signal: AbortSignal;
}

/**
 * Takes a file into a folder of its own, which is removed once `use` is over.
 *
 * @throws Refusal: 413 if it is too large, 507 if it says that it has no room; also what the system says of a full disk
 */
export async function withUpload<T>(upload: Upload, use: (path: string) => Promise<T>): Promise<T> {
  const { body, sizeBytes, root, mostBytes, signal } = upload;
  const tooLarge = new Refusal(
    413,
    `a film may have ${gigabytes(mostBytes)} GB: package it with npm run package-film`,
  );
  if (sizeBytes !== null && sizeBytes > mostBytes) throw tooLarge;
  const { bavail, bsize } = await statfs(root);
  if (sizeBytes !== null && sizeBytes > bavail * bsize) throw diskFull();
  const folder = await makeUploadFolder(root);
  try {
    const path = join(folder, plainName(upload.name));
    await pipeline(body, upTo(mostBytes, tooLarge), createWriteStream(path), { signal });
    return await whileWorkedOn(folder, () => use(path));
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Makes a folder for what comes; no other server takes it for left. */
export function makeUploadFolder(root: string): Promise<string> {
  return mkdtemp(join(root, `${PREFIX}${holder()}`));
}

/** A name for what goes, which nothing has: on a full disk there is no room for a folder around it. */
export function nameOfLeaving(root: string): string {
  return join(root, `${PREFIX}${holder()}${randomBytes(6).toString("hex")}`);
}

/** Whether an entry of the films' folder is of an upload that nobody works on. */
export async function isLeftUpload(path: string): Promise<boolean> {
  return basename(path).startsWith(PREFIX) && (await isAbandoned(path));
}

export function diskFull(): Refusal {
  return new Refusal(507, "the disk is full: free some space and add the film again");
}

function plainName(name: string): string {
  const plain = basename(name.replaceAll("\\", "/"))
    .replaceAll(/[^\p{L}\p{N}._ ()-]/gu, "")
    .replace(/^\.+/, "");
  return lastBytes(plain, LONGEST_NAME_BYTES) || "film";
}

/** Whole characters from the end, which tells what it is. */
function lastBytes(text: string, most: number): string {
  let kept = "";
  for (const character of [...text].reverse()) {
    if (Buffer.byteLength(character + kept) > most) break;
    kept = character + kept;
  }
  return kept;
}

function upTo(mostBytes: number, tooLarge: Refusal): Transform {
  let bytes = 0;
  return new Transform({
    transform(part: Buffer, _encoding, done) {
      bytes += part.length;
      if (bytes > mostBytes) done(tooLarge);
      else done(null, part);
    },
  });
}

function gigabytes(bytes: number): number {
  return Math.round(bytes / 1e8) / 10;
}
