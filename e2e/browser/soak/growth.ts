import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PYTHON, ROOT } from "../environment.ts";
import { lastWords, runCommand } from "../setup/run-command.ts";

/** Values at times, in hours. */
export interface Series {
  readonly times: number[];
  readonly values: number[];
}

/** Per hour: of all values, and from the first tenth to the last. */
export interface Growth {
  readonly slope: number;
  readonly between_ends: number;
}

/** By name, as the laboratory has it (laboratory/statistics/growth.py). */
export async function growthOf(series: Readonly<Record<string, Series>>): Promise<Record<string, Growth>> {
  const folder = await mkdtemp(join(tmpdir(), "nuwa-soak-"));
  try {
    const file = join(folder, "series.json");
    await writeFile(file, JSON.stringify(series));
    const args = ["-m", "e2e.laboratory.statistics.growth", file];
    const result = await runCommand(PYTHON, args, { cwd: ROOT });
    if (result.code !== 0) throw new Error(`the growth could not be told: ${lastWords(result)}`);
    return JSON.parse(result.stdout) as Record<string, Growth>;
  } finally {
    await rm(folder, { recursive: true });
  }
}
