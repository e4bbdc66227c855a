import { canonicalJson, type RunPlan } from "./plan.ts";
import type { RunRecord } from "./store.ts";

/** A run that is over, well or badly, and the name of its row file. */
export interface FinishedRun {
  key: string;
  record: RunRecord;
}

/** The run that a plan asked for. */
export type FindRun = (plan: RunPlan) => FinishedRun;

/** By all that a plan says, so that two links with one name are kept apart. */
export function finderOf(runs: readonly FinishedRun[]): FindRun {
  const identity = ({ arm: { flows }, ...plan }: RunPlan) => canonicalJson({ ...plan, flows });
  const known = new Map(runs.map((run) => [identity(run.record.plan), run]));
  return (plan) => {
    const found = known.get(identity(plan));
    if (found === undefined) throw new Error(`no record of ${canonicalJson(plan)}`);
    return found;
  };
}
