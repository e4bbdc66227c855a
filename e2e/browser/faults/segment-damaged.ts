import { readdir, readFile, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Chance } from "../fault-rig/chance.ts";
import { BEGINS, type Fault } from "../fault-rig/fault.ts";

/** Of 2 s; the first ones are in the buffer before the film plays. */
const SEGMENTS = [5, 8] as const;
const DAMAGED_BYTES = 64;

/** One segment of every video representation has its middle overwritten with noise. */
export const segmentDamaged: Fault = {
  name: "segment-damaged",
  title: "a segment damaged on the server's disk",
  isByCommand: true,
  prepareFilm: async (directory, chance) => {
    const number = String(chance.whole(...SEGMENTS)).padStart(5, "0");
    const names = await readdir(directory);
    for (const name of names.filter((file) => file.startsWith("seg-") && file.includes(number)))
      await damage(join(directory, name), chance);
  },
  watchSeconds: 22,
  expected: { ...BEGINS, stalledSeconds: 2, consoleProblems: [/MEDIA_ERR_DECODE/] },
};

/** The file is a link to the packaged film's, which stays as it is. */
async function damage(file: string, chance: Chance): Promise<void> {
  const bytes = await readFile(file);
  const middle = Math.floor(bytes.length / 2);
  for (let offset = 0; offset < DAMAGED_BYTES; offset += 1)
    bytes[Math.min(middle + offset, bytes.length - 1)] = chance.whole(0, 255);
  await unlink(file);
  await writeFile(file, bytes);
}
