import type { PresetName } from "../../../player/src/options/names.ts";
import { type CellParameters, DEFAULTS } from "../cell/parameters.ts";
import { type Cell, type CellControl, runCell } from "../cell/run-cell.ts";
import type { Benchmark } from "./registry.ts";

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
  preset: PresetName | null;
  /** What of it is measured; empty for all. */
  subjects: readonly string[];
  /** Of the first repeat's random numbers. */
  seed: number;
  /** How long it is measured; null leaves it to the benchmark. */
  minutes: number | null;
  /** Another clone, to be measured in turn with this one; null where this one is measured alone. */
  beside: string | null;
  /** How many runs at once. */
  jobs: number;
  /** Whether kept runs of other commits count. */
  isAnyCommit: boolean;
  control: CellControl;
}

/** Runs a benchmark's cells and remembers where their bundles lie. */
export class BenchContext {
  readonly bundles: string[] = [];
  /** Markdown, to stand above the figures. */
  readonly tables: string[] = [];
  readonly options: BenchOptions;

  constructor(options: BenchOptions) {
    this.options = options;
  }

  isChosen(subject: string): boolean {
    const { subjects } = this.options;
    return subjects.length === 0 || subjects.includes(subject);
  }

  presetOr(preset: PresetName): PresetName {
    return this.options.preset ?? preset;
  }

  /**
   * Each arm once per repeat, with progress. Every other repeat goes through the arms backwards, so that what drifts on the
   * machine meets all of them alike. Throws once the command was stopped.
   *
   * @param of what the arms are of, for the progress
   */
  *turns<Arm extends string>(arms: readonly Arm[], of = ""): Generator<Arm, void> {
    const { repeats, control } = this.options;
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      for (const arm of repeat % 2 === 0 ? arms : arms.toReversed()) {
        control.signal?.throwIfAborted();
        control.onProgress?.(`repeat ${repeat + 1} of ${repeats}: ${of}${arm}`);
        yield arm;
      }
    }
  }

  /** Runs each arm's cell in its turns. @returns for each arm its cells, in the order of the repeats */
  async interleave<Arm extends string>(
    arms: Readonly<Record<Arm, CellChanges>>,
  ): Promise<Record<Arm, Cell[]>> {
    const names = Object.keys(arms) as Arm[];
    const cells = Object.fromEntries(names.map((name) => [name, [] as Cell[]])) as Record<Arm, Cell[]>;
    for (const name of this.turns(names)) {
      const cell = await runCell({ ...DEFAULTS, ...arms[name] }, this.options.control);
      this.bundles.push(cell.directory);
      cells[name].push(cell);
    }
    return cells;
  }
}
