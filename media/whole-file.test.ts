import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { isWholeMp4 } from "./whole-file.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "nuwa-whole-file-"));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

// Two boxes: "styp" of 12 bytes, "mdat" of 10.
const STYP = "0000000c 73747970 6d736468";
const MDAT = "0000000a 6d646174 abcd";

it.each([
  ["two whole boxes", `${STYP} ${MDAT}`, true],
  ["a box that lost its last byte", `${STYP} 0000000a 6d646174 ab`, false],
  ["a box that lost part of its header", `${STYP} 0000000a`, false],
  ["a box shorter than its header", "00000000 6d646174", false],
  ["nothing", "", false],
])("%s", async (_, hex, isWhole) => {
  const path = join(folder, "segment.m4s");
  await writeFile(path, Buffer.from(hex.replaceAll(" ", ""), "hex"));
  expect(await isWholeMp4(path)).toBe(isWhole);
});
