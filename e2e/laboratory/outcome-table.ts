/** What the terminal shows of a matrix: the means; their intervals and all else are in the report. */
import { markdownTable } from "../browser/markdown-table.ts";
import { summariseArm } from "./analysis.ts";
import { settingsOf, titleOf } from "./condition-title.ts";
import type { MarkedMatrix } from "./decisions.ts";
import type { Estimate } from "./estimate.ts";
import { type FinishedRun, finderOf } from "./finished-run.ts";
import type { Condition } from "./matrix.ts";

const HEADER = ["scheme", "Mbit/s", "queueing delay, mean", "p95", "loss", "runs"];

/** A table for each condition, in the order of the report's. */
export function outcomeTables({ conditions, request }: MarkedMatrix, runs: readonly FinishedRun[]): string {
  const find = finderOf(runs);
  const tableOf = ({ arms, runs: plans }: Condition): string =>
    markdownTable([
      HEADER,
      ...arms.map((arm) => {
        const own = plans.filter((plan) => plan.arm.name === arm.name);
        const { estimates, figures } = summariseArm(arm, { own, baseline: null }, find);
        const finished = figures.filter(({ failure }) => failure === null).length;
        return [
          arm.name,
          mean(estimates.throughputBitsPerSecond, { scale: 1e-6, digits: 2, unit: "" }),
          mean(estimates.delayMeanMs, { scale: 1, digits: 1, unit: " ms" }),
          mean(estimates.delayP95Ms, { scale: 1, digits: 1, unit: " ms" }),
          mean(estimates.lossRatio, { scale: 100, digits: 2, unit: " %" }),
          finished === figures.length ? `${finished}` : `${finished} of ${figures.length}`,
        ];
      }),
    ]);
  return conditions
    .map((condition) => `${titleOf(condition)}: ${settingsOf(condition, request)}\n\n${tableOf(condition)}`)
    .join("\n");
}

interface Format {
  scale: number;
  digits: number;
  unit: string;
}

function mean(estimate: Estimate | null, { scale, digits, unit }: Format): string {
  return estimate === null ? "-" : `${(estimate.mean * scale).toFixed(digits)}${unit}`;
}
