import { RULES, type RuleChoice } from "../rules/registry.ts";
import type { NuwaOptions } from "./nuwa-api.ts";

/** null where the player keeps its own rules. Throws where there is no such rule. */
export function ruleOf({ rule = "nuwa" }: Pick<NuwaOptions, "rule">): RuleChoice | null {
  if (rule === null) {
    return null;
  }
  const found = RULES.find(({ name }) => name === rule);
  if (found === undefined) {
    throw new Error(`There is no rule ${rule}; choose one of ${RULES.map(({ name }) => name).join(", ")}.`);
  }
  return found;
}
