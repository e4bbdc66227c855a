/** Two sets of choices in one query: `left_scheme`, `right_rule`, ... Pure. */

import { SIDES, type Side } from "../charts/comparison-charts.ts";
import { type Choices, OF_PAGE, toQuery, unknownParameters } from "./choices.ts";

/** What each film may choose of its own. */
const OWN = ["scheme", "preset", "rule", "estimator", "k", "target_delay_ms"] as const;

/** What both share. */
const SHARED = ["buffer_s", "autoplay", "muted", "transport", ...OF_PAGE] as const;

/** As `unknownParameters` of one film. */
export function unknownComparisonParameters(query: URLSearchParams): string | null {
  const own = SIDES.flatMap((side) => OWN.map((name) => `${side}_${name}`));
  return unknownParameters(query, [...own, ...SHARED]);
}

/** What is compared where the query does not say: one measurement for both loops, and each loop by itself. */
const DEFAULTS: Readonly<Record<Side, Readonly<Record<string, string>>>> = {
  left: { scheme: "nuwa", rule: "nuwa", estimator: "nuwa" },
  right: { scheme: "cubic", rule: "dynamic", estimator: "dashjs" },
};

/** The query of one film alone, as `readChoices` takes it: always without sound, and playing when both are started. */
export function sideQuery(query: URLSearchParams, side: Side): URLSearchParams {
  const own = new URLSearchParams(query);
  for (const name of OWN) {
    const value = query.get(`${side}_${name}`) ?? DEFAULTS[side][name];
    own.delete(name);
    if (value !== undefined) {
      own.set(name, value);
    }
  }
  own.set("muted", "1");
  own.set("autoplay", "1"); // whether both start by themselves is the page's affair
  return own;
}

/** The query that gives this film's choices again, beside whatever else it says. */
export function withSide(query: URLSearchParams, side: Side, choices: Choices): URLSearchParams {
  const own = new URLSearchParams(toQuery(new URLSearchParams(), choices));
  const next = new URLSearchParams(query);
  for (const name of OWN) {
    const value = own.get(name);
    if (value === null) {
      next.delete(`${side}_${name}`);
    } else {
      next.set(`${side}_${name}`, value);
    }
  }
  return next;
}
