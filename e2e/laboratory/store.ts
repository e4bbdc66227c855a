import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RunPlan } from "./plan.ts";
import type { RunFailure, RunResult } from "./result.ts";

/** What became of a run. */
export interface RunRecord {
  plan: RunPlan;
  /** Exactly one of the two is set. */
  result: RunResult | null;
  failure: RunFailure | null;
  finishedAt: string;
  /** What it took. */
  wallSeconds: number;
}

/** The row files of a matrix, one for each finished run: what is there need not be run again. */
export class RunStore {
  readonly #directory: string;

  private constructor(directory: string) {
    this.#directory = directory;
  }

  /** @param directory the matrix's; made if it is not there */
  static async open(directory: string): Promise<RunStore> {
    const runs = join(directory, "runs");
    await mkdir(runs, { recursive: true });
    return new RunStore(runs);
  }

  /** null where the run was not finished. A file cut off in writing cannot be: it gets its name when it is whole. */
  async read(key: string): Promise<RunRecord | null> {
    const file = this.#file(key);
    if (!existsSync(file)) return null;
    return JSON.parse(await readFile(file, "utf8")) as RunRecord;
  }

  async write(key: string, record: RunRecord): Promise<void> {
    const file = this.#file(key);
    await writeFile(`${file}.part`, `${JSON.stringify(record)}\n`);
    await rename(`${file}.part`, file);
  }

  /** As if it had never been run. */
  async forget(key: string): Promise<void> {
    await rm(this.#file(key), { force: true });
  }

  #file(key: string): string {
    return join(this.#directory, `${key}.json`);
  }
}
