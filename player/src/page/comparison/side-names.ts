import type { ServerConfig } from "../../options/server-config.ts";
import { RULES } from "../../rules/registry.ts";
import { controlTitle, titleOf } from "../film/title-of.ts";
import type { Choices } from "../query/choices.ts";

type Pair = readonly [string, string];

/**
 * Short names of two films, by what tells them apart: the scheme, else with the first other choice that differs, else the place.
 * Over HTTP neither has a scheme or a preset.
 */
export function sideNames(left: Choices, right: Choices, config: ServerConfig): Pair {
  const both = (read: (choices: Choices) => string): Pair => [read(left), read(right)];
  const schemes = both((choices) => controlTitle(choices, config));
  const areOverHttp = left.transport === "http" && right.transport === "http";
  const others = [
    both(({ rule }) => titleOf(RULES, rule)),
    ...(areOverHttp ? [] : [both(({ preset }) => titleOf(config.presets, preset))]),
    both(({ estimator }) => (estimator === "receiver" ? "receiver’s estimate" : "dash.js’s estimate")),
  ];
  if (differ(schemes)) {
    return schemes;
  }
  const other = others.find(differ) ?? ["left", "right"];
  if (areOverHttp) {
    return other;
  }
  return [`${schemes[0]}, ${other[0]}`, `${schemes[1]}, ${other[1]}`];
}

const differ = ([one, other]: Pair): boolean => one !== other;
