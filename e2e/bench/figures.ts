import type { CellMetrics } from "../cell/metrics.ts";
import type { Cell } from "../cell/run-cell.ts";
import { mean, median } from "../statistics.ts";
import type { Figure, Reach } from "./benchmark.ts";

/** One value of each cell; a cell that has none is left out. */
export function valuesOf(
  cells: readonly Cell[],
  read: (metrics: CellMetrics) => number | null | undefined,
): number[] {
  return cells.flatMap(({ bundle }) => {
    const value = read(bundle.metrics);
    return value === null || value === undefined ? [] : [value];
  });
}

interface FigureOptions {
  what: string;
  unit: string;
  reach?: Reach;
}

/** The median over the repeats. */
export function medianFigure(options: FigureOptions, samples: readonly number[]): Figure {
  return { ...options, reach: options.reach ?? null, samples, value: median(samples) };
}

/** The mean over the repeats. */
export function meanFigure(options: FigureOptions, samples: readonly number[]): Figure {
  return { ...options, reach: options.reach ?? null, samples, value: mean(samples) };
}

/** The ratios of two arms, repeat by repeat: what the machine did to both cancels. */
export function ratios(numerators: readonly number[], denominators: readonly number[]): number[] {
  return pairs(numerators, denominators).map(([one, other]) => one / other);
}

export function differences(minuends: readonly number[], subtrahends: readonly number[]): number[] {
  return pairs(minuends, subtrahends).map(([one, other]) => one - other);
}

function pairs(ones: readonly number[], others: readonly number[]): [number, number][] {
  if (ones.length !== others.length) {
    throw new RangeError(`${ones.length} values of one arm, ${others.length} of the other: no pairs`);
  }
  return ones.map((one, index) => [one, others[index] as number]);
}

/** null where there is nothing to compare. */
export function isReached({ value, reach }: Figure): boolean | null {
  if (value === null || reach === null) return null;
  if (reach.comparison === "at least") return value >= reach.value;
  if (reach.comparison === "at most") return value <= reach.value;
  return value > reach.value;
}
