import { ROOT } from "../browser/environment.ts";
import { ChildError } from "../browser/process/child.ts";
import { lastWords, runCommand } from "../browser/setup/run-command.ts";
import type { RunPlan } from "./plan.ts";
import { RunError } from "./result.ts";
import { simulatorPython } from "./simulators.ts";

/** Each learned scheme and why its policy cannot be had, in the simulation's words; null where it can. */
export type PolicyProblems = Readonly<Record<string, string | null>>;

/** Says so in JSON of the schemes that it is given. */
export function policyChecker(): readonly [string, ...string[]] {
  return [simulatorPython(), "-m", "e2e.nuwa", "models", "check"];
}

/**
 * Asks, before anything runs, whether the schemes of these runs have what they need.
 *
 * @throws ChildError where nobody can say
 */
export async function findPolicyProblems(
  plans: readonly RunPlan[],
  [command, ...args]: readonly [string, ...string[]] = policyChecker(),
): Promise<PolicyProblems> {
  const schemes = new Set(plans.flatMap(({ arm }) => arm.flows.map(({ scheme }) => scheme)));
  if (schemes.size === 0) return {};
  const said = await runCommand(command, [...args, ...schemes], { cwd: ROOT });
  if (said.code === 0) return JSON.parse(said.stdout) as PolicyProblems;
  throw new ChildError(`which schemes have a policy is not known: ${lastWords(said)}`);
}

/**
 * A learned scheme without its policy would run its heuristic, and not be what it is called.
 *
 * @throws RunError
 */
export function requirePolicies({ arm }: RunPlan, problems: PolicyProblems): void {
  for (const { scheme } of arm.flows) {
    const message = problems[scheme] ?? null;
    if (message !== null) throw new RunError({ scheme, message, state: {} });
  }
}
