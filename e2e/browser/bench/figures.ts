import type { CellMetrics } from "../cell/metrics.ts";
import type { Cell } from "../cell/run-cell.ts";
import { mean, median } from "../statistics.ts";
import type { Figure, Reach, Sample } from "./benchmark.ts";

/** One value of each cell, in the order of the repeats; null for a cell that has none. */
export function valuesOf(
  cells: readonly Cell[],
  read: (metrics: CellMetrics) => number | null | undefined,
): Sample[] {
  return cells.map(({ bundle }) => read(bundle.metrics) ?? null);
}

/** A share as it is told; null where there is none. */
export function percent(ratio: number | null | undefined): Sample {
  return ratio === null || ratio === undefined ? null : 100 * ratio;
}

export const atLeast = (value: number): Reach => ({ comparison: "at least", value });
export const atMost = (value: number): Reach => ({ comparison: "at most", value });
export const above = (value: number): Reach => ({ comparison: "above", value });

type MakeFigure = (what: string, samples: readonly Sample[], unit?: string, reach?: Reach | null) => Figure;

/** What is to be reached has no value where a repeat has none: the others say nothing of that one. */
function figureBy(summarise: (values: number[]) => number | null): MakeFigure {
  return (what, samples, unit = "", reach = null) => {
    const value = reach !== null && samples.includes(null) ? null : summarise(known(samples));
    return { what, unit, reach, samples, value };
  };
}

/** The median over the repeats. */
export const medianFigure = figureBy(median);

/** The mean over the repeats. */
export const meanFigure = figureBy(mean);

/** The sum over the repeats: of 0 and 1, how many there were. */
export const totalFigure = figureBy((values) => values.reduce((sum, value) => sum + value, 0));

/** The ratios of two arms, repeat by repeat: what the machine did to both cancels. */
export function ratios(numerators: readonly Sample[], denominators: readonly Sample[]): Sample[] {
  return pairwise(numerators, denominators, (one, other) => one / other);
}

export function differences(minuends: readonly Sample[], subtrahends: readonly Sample[]): Sample[] {
  return pairwise(minuends, subtrahends, (one, other) => one - other);
}

/** A repeat in which one side is missing has nothing to compare, and stays null. */
function pairwise(
  ones: readonly Sample[],
  others: readonly Sample[],
  compare: (one: number, other: number) => number,
): Sample[] {
  if (ones.length !== others.length) {
    throw new RangeError(`${ones.length} values of one arm, ${others.length} of the other: no pairs`);
  }
  return ones.map((one, index) => {
    const other = others[index] ?? null;
    return one === null || other === null ? null : compare(one, other);
  });
}

function known(samples: readonly Sample[]): number[] {
  return samples.filter((sample) => sample !== null);
}

/** null where nothing is to be reached; what has no value has not reached it. */
export function isReached({ value, reach }: Figure): boolean | null {
  if (reach === null) return null;
  if (value === null) return false;
  if (reach.comparison === "at least") return value >= reach.value;
  if (reach.comparison === "at most") return value <= reach.value;
  return value > reach.value;
}
