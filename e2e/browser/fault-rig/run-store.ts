import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Outcome } from "./outcome.ts";

/** One run of a fault, as it is kept. */
export interface KeptRun {
  readonly fault: string;
  readonly seed: number;
  /** That was checked out when the command began. */
  readonly commit: string;
  readonly finishedAt: string;
  readonly browser: string;
  /** How many runs were played at once. */
  readonly jobs: number;
  /** null for a run that could not be watched to its end. */
  readonly outcome: Outcome | null;
  /** Why it could not. */
  readonly failure: string | null;
}

/** What programs a run is made with. */
export interface Sources {
  readonly commit: string;
  /** Nobody can check out what these were: such a run is played again, and counts for its own command alone. */
  readonly hasLocalChanges: boolean;
}

/** A file for each run, in a folder for each commit: what is there need not be played again. */
export class RunStore {
  readonly #directory: string;
  readonly #own: string;

  /** @param startedAt ISO 8601: names the folder of runs with local changes */
  constructor(directory: string, { commit, hasLocalChanges }: Sources, startedAt: string) {
    this.#directory = directory;
    this.#own = hasLocalChanges ? `${commit}${CHANGED}${startedAt.replace(/[:.]/g, "-")}` : commit;
  }

  /** In the order of their seeds. */
  async runs({ isAnyCommit = false } = {}): Promise<KeptRun[]> {
    const all = isAnyCommit ? await namesIn(this.#directory) : [];
    const others = all.filter((name) => name !== this.#own && !name.includes(CHANGED));
    const runs: KeptRun[] = [];
    for (const folder of [...others, this.#own]) {
      const directory = join(this.#directory, folder);
      for (const name of await namesIn(directory))
        if (name.endsWith(".json")) runs.push(JSON.parse(await readFile(join(directory, name), "utf8")));
    }
    return runs.toSorted((one, other) => one.seed - other.seed);
  }

  /** No file is cut off in writing: it gets its name when it is whole. */
  async keep(run: KeptRun): Promise<void> {
    const directory = join(this.#directory, this.#own);
    await mkdir(directory, { recursive: true });
    const file = join(directory, `${run.fault}-${run.seed}.json`);
    await writeFile(`${file}.part`, `${JSON.stringify(run)}\n`);
    await rename(`${file}.part`, file);
  }
}

const CHANGED = "-changed-";

async function namesIn(directory: string): Promise<string[]> {
  return readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
}
