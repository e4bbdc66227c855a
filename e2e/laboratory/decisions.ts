/** What became of the decisions of a run's learned schemes, and what a run is worth in which they were not taken. */
import type { SchemeDecisions } from "../browser/cell/decisions.ts";
import type { Condition } from "./matrix.ts";
import type { MatrixRequest } from "./options.ts";
import type { RunPlan } from "./plan.ts";
import { RunError, type RunResult } from "./result.ts";
import type { RunRecord } from "./store.ts";

/** A run in which a larger share of decisions was late or failed is marked. */
export const MARKED_SHARE = 0.05;

/**
 * A run in which a scheme's policy took no decision is none of that scheme.
 *
 * @throws RunError
 */
export function requireAnswers(all: readonly SchemeDecisions[]): void {
  const silent = all.find(({ answered, late, failed }) => answered === 0 && late + failed > 0);
  if (silent === undefined) return;
  const { scheme, isLoaded, decisions, late, failed } = silent;
  const why = isLoaded ? `${late} late, ${failed} failed` : "its policy is missing";
  const message = `${scheme} answered 0 of ${decisions} decisions: ${why}`;
  throw new RunError({ scheme, message, state: { ...silent } });
}

/**
 * The same for an emulated run, where each learned scheme must have been told of.
 *
 * @throws RunError
 */
export function requireDecisions(
  all: readonly SchemeDecisions[],
  { arm }: RunPlan,
  learned: ReadonlySet<string>,
): void {
  const scheme = arm.flows
    .map((flow) => flow.scheme)
    .find((name) => learned.has(name) && !all.some((one) => one.scheme === name));
  if (scheme !== undefined) {
    const message = `neither server nor receiver told of the decisions of ${scheme}`;
    throw new RunError({ scheme, message, state: { told: all } });
  }
  requireAnswers(all);
}

/** Late or failed, of all: that of the scheme which fared worst; null where nothing was to be decided. */
export function unansweredShare({ decisions: all }: Pick<RunResult, "decisions">): number | null {
  const shares = all
    .filter(({ decisions }) => decisions > 0)
    .map(({ decisions, late, failed }) => (late + failed) / decisions);
  return shares.length === 0 ? null : Math.max(...shares);
}

/** A sentence about a run that is marked; null for the others. */
export function describeMark(result: RunResult): string | null {
  const share = unansweredShare(result);
  return share === null || share <= MARKED_SHARE
    ? null
    : `its policy missed ${percent(share)} of the decisions`;
}

export interface MarkedMatrix {
  conditions: readonly Condition[];
  request: MatrixRequest;
}

/**
 * The matrix for the report: an arm with marked runs says in its name what the worst of them missed, in every condition, so that
 * tables, charts and legends show it.
 */
export function markArms(matrix: MarkedMatrix, records: readonly RunRecord[]): MarkedMatrix {
  const worst = new Map<string, number>();
  for (const { plan, result } of records) {
    const share = result === null ? null : unansweredShare(result);
    if (share !== null) worst.set(plan.arm.name, Math.max(share, worst.get(plan.arm.name) ?? 0));
  }
  const marked = (name: string) => {
    const share = worst.get(name) ?? 0;
    return share > MARKED_SHARE ? `${name} (policy missed ${percent(share)})` : name;
  };
  const { request, conditions } = matrix;
  return {
    request: { ...request, baseline: request.baseline === null ? null : marked(request.baseline) },
    conditions: conditions.map((condition) => ({
      ...condition,
      arms: condition.arms.map((arm) => ({ ...arm, name: marked(arm.name) })),
      runs: condition.runs.map((run) => ({ ...run, arm: { ...run.arm, name: marked(run.arm.name) } })),
    })),
  };
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}
