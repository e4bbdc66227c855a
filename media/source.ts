import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { MediaError } from "./media-error.ts";

export type FilmSource =
  | { readonly kind: "file"; readonly path: string; readonly isStrangers?: boolean }
  | { readonly kind: "demo"; readonly durationSeconds?: number };

/** What makes two sources the same film, wherever they lie. */
export type SourceFingerprint =
  | { readonly kind: "demo"; readonly durationSeconds: number }
  | {
      readonly kind: "file";
      readonly sizeBytes: number;
      /** SHA-256 of the first and the last MiB, one after the other: reading all of a long film takes minutes. */
      readonly endsSha256: string;
    };

const END_BYTES = 1024 * 1024;

/** Fingerprints a film file. Throws MediaError when there is no readable, non-empty file at the path. */
export async function fingerprintFile(path: string): Promise<SourceFingerprint> {
  let file: FileHandle;
  try {
    file = await open(path);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    const reason = code === "ENOENT" ? "does not exist" : `cannot be opened (${code})`;
    throw new MediaError(`The film ${path} ${reason}; give the path of a film file that you may read.`, {
      cause,
    });
  }
  try {
    const status = await file.stat();
    if (!status.isFile())
      throw new MediaError(`The film ${path} is not a file; give the path of a film file.`);
    if (status.size === 0)
      throw new MediaError(`The film ${path} is empty (0 bytes); give a complete film file.`);
    const hash = createHash("sha256");
    for (const position of [0, Math.max(0, status.size - END_BYTES)]) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(END_BYTES), 0, END_BYTES, position);
      hash.update(buffer.subarray(0, bytesRead));
    }
    return { kind: "file", sizeBytes: status.size, endsSha256: hash.digest("hex") };
  } finally {
    await file.close();
  }
}
