/** What a decision takes in the media server, as `python -m e2e.laboratory decision-time` measures it. */

import { simulatorPython } from "../../../laboratory/simulators.ts";
import { ROOT } from "../../environment.ts";
import { lastWords, runCommand } from "../../setup/run-command.ts";
import type { BenchContext } from "../benchmark.ts";
import type { LearnedFigure, ShippedPolicy } from "./figures.ts";

const LIMIT_MS = 120_000;
const LARGEST_P99_MS = 0.5;

export async function decisionTimes(
  { control: { onProgress, signal } }: BenchContext,
  policies: readonly ShippedPolicy[],
): Promise<LearnedFigure[]> {
  const figures: LearnedFigure[] = [];
  for (const { name, title } of policies) {
    signal?.throwIfAborted();
    onProgress?.(`decision time of ${name}`);
    const args = ["-m", "e2e.laboratory", "decision-time", name];
    const result = await runCommand(simulatorPython(), args, { cwd: ROOT, timeoutMs: LIMIT_MS });
    const p99Ms = result.code === 0 ? readP99(result.stdout) : null;
    if (p99Ms === null) onProgress?.(`decision time of ${name} was not measured: ${lastWords(result)}`);
    figures.push({
      ...{ what: `${title}: a decision in the server, p99`, value: p99Ms, unit: "ms", interval: null },
      reach: { comparison: "at most", value: LARGEST_P99_MS },
      has_to_be_sure: false,
    });
  }
  return figures;
}

/** ms; null where the output tells none. */
export function readP99(output: string): number | null {
  const found = /\bp99 ([\d.]+) ms/.exec(output)?.[1];
  return found === undefined ? null : Number(found);
}
