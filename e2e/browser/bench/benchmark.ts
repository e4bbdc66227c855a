import type { Place } from "../../laboratory/plan.ts";
import { type CellParameters, DEFAULTS } from "../cell/parameters.ts";
import { type Cell, type CellControl, runCell } from "../cell/run-cell.ts";
import type { Mahimahi } from "../setup/shell-command.ts";

/** A benchmark: cells run side by side, and the figures that they are to show. */
export interface Benchmark {
  name: string;
  /** One line for the help. */
  summary: string;
  defaultRepeats: number;
  /** Runs of the laboratory, in these places: no browser is got ready for it. */
  places?: readonly Place[];
  run(bench: BenchContext): Promise<Figure[]>;
}

/** The summary, with the preset that was asked for instead of the benchmark's own; null is its own. */
export function titleOf({ summary }: Pick<Benchmark, "summary">, preset: string | null): string {
  if (preset === null) return summary;
  const named = summary.replace(/\bpreset [a-z-]+/, `preset ${preset}`);
  return named === summary ? `${summary}; preset ${preset}` : named;
}

/** What a repeat has measured; null where it could not. */
export type Sample = number | null;

/** One line of a benchmark's table. */
export interface Figure {
  what: string;
  /** Unset where nothing was measured. */
  value: number | null;
  unit: string;
  /** One value of each repeat, in order. */
  samples: readonly Sample[];
  /** What is to be reached; null where the figure is only shown beside another. */
  reach: Reach | null;
}

export interface Reach {
  comparison: "at least" | "at most" | "above";
  value: number;
}

export type CellChanges = Pick<CellParameters, "name" | "link" | "workload"> & Partial<CellParameters>;

export interface BenchOptions {
  repeats: number;
  /** Replaces the preset with which a benchmark runs Nuwa; null leaves each its own. */
  preset: string | null;
  /** null where it is not there, or not needed. */
  mahimahi: Mahimahi | null;
  /** Whether runs of the laboratory are made again that were made before. */
  isFresh: boolean;
  control: CellControl;
}

/** Runs a benchmark's cells and remembers where their bundles lie. */
export class BenchContext {
  readonly bundles: string[] = [];
  /** What is to be printed above the figures, in Markdown. */
  readonly tables: string[] = [];
  /** Runs of the laboratory that failed. */
  failedRuns = 0;
  readonly #options: BenchOptions;

  constructor(options: BenchOptions) {
    this.#options = options;
  }

  get repeats(): number {
    return this.#options.repeats;
  }

  get mahimahi(): Mahimahi | null {
    return this.#options.mahimahi;
  }

  get isFresh(): boolean {
    return this.#options.isFresh;
  }

  get control(): CellControl {
    return this.#options.control;
  }

  presetOr(preset: string): string {
    return this.#options.preset ?? preset;
  }

  /**
   * Runs each arm once per repeat. Every other repeat goes through the arms backwards, so that what drifts on the machine
   * meets all of them alike.
   *
   * @returns for each arm its cells, in the order of the repeats
   */
  async interleave<Arm extends string>(
    arms: Readonly<Record<Arm, CellChanges>>,
  ): Promise<Record<Arm, Cell[]>> {
    const names = Object.keys(arms) as Arm[];
    const cells = Object.fromEntries(names.map((name) => [name, [] as Cell[]])) as Record<Arm, Cell[]>;
    const { repeats, control } = this.#options;
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      const order = repeat % 2 === 0 ? names : names.toReversed();
      for (const name of order) {
        control.onProgress?.(`repeat ${repeat + 1} of ${repeats}: ${name}`);
        const cell = await runCell({ ...DEFAULTS, ...arms[name] }, control);
        this.bundles.push(cell.directory);
        cells[name].push(cell);
      }
    }
    return cells;
  }
}
