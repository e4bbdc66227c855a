import { statfs } from "node:fs/promises";
import { type EncodeJob, jobBitsPerSecond } from "./encode.ts";
import { MediaError } from "./media-error.ts";

const CONTAINER_OVERHEAD = 1.05; // boxes and the rate buffer's slack, measured at 1 % to 3 %
const NEARLY_FULL_BYTES = 1024 * 1024; // what a file system may keep unusable at its end

/** Throws MediaError before hours of encoding when the folder's disk cannot hold the result. */
export async function requireSpaceFor(
  job: EncodeJob,
  expectedSeconds: number | undefined,
  directory: string,
  filmName: string,
): Promise<void> {
  if (expectedSeconds === undefined) return;
  const neededBytes = expectedBytes(job, expectedSeconds);
  const freeBytes = await freeSpace(directory);
  if (freeBytes >= neededBytes) return;
  throw new MediaError(
    `Packaging ${filmName} needs about ${megabytes(neededBytes)} MB and the disk has ${megabytes(freeBytes)} MB free; ` +
      "free some space or choose another output folder.",
    { kind: "disk" },
  );
}

/** Whether what failed did so since a disk, or this account's part of it, has no room. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT");
}

export async function isNearlyFull(directory: string): Promise<boolean> {
  return (await freeSpace(directory)) < NEARLY_FULL_BYTES;
}

export function diskFullError(filmName: string, cause?: unknown): MediaError {
  const message = `The disk is full: ${filmName} could not be packaged; free some space or choose another output folder.`;
  return new MediaError(message, { cause, kind: "disk" });
}

function expectedBytes(job: EncodeJob, seconds: number): number {
  return (jobBitsPerSecond(job) / 8) * seconds * CONTAINER_OVERHEAD;
}

/** Bytes that this account may still write there. */
export async function freeSpace(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1e6);
}
