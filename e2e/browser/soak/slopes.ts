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

/** Per hour, and the ends of its 95 % interval. */
export interface Slope {
  readonly slope: number;
  readonly low: number;
  readonly high: number;
}

/** By name, as the laboratory fits them (laboratory/statistics/slope.py). */
export async function slopesOf(series: Readonly<Record<string, Series>>): Promise<Record<string, Slope>> {
  const folder = await mkdtemp(join(tmpdir(), "nuwa-soak-"));
  try {
    const file = join(folder, "series.json");
    await writeFile(file, JSON.stringify(series));
    const args = ["-m", "e2e.laboratory.statistics.slope", file];
    const result = await runCommand(PYTHON, args, { cwd: ROOT });
    if (result.code !== 0) throw new Error(`the slopes could not be fitted: ${lastWords(result)}`);
    return JSON.parse(result.stdout) as Record<string, Slope>;
  } finally {
    await rm(folder, { recursive: true });
  }
}
