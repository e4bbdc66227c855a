/** Two sets of choices in one query: `left_scheme`, `right_rule`, ... Pure. */

import { SIDES, type Side } from "../../charts/comparison-charts.ts";
import type { FilmConfig, LinkState, ServerConfig } from "../../options/server-config.ts";
import { type Choices, toQuery } from "./choices.ts";
import { withLinkNumbers } from "./link-query.ts";
import {
  OF_BOTH_FILMS,
  OF_EACH_FILM,
  type ParameterName,
  type UnknownParameters,
  unknownTo,
} from "./parameters.ts";
import { NO_WISHES, type Wishes, withWishes } from "./wishes.ts";

/** As `unknownParameters` of one film. */
export function unknownComparisonParameters(query: URLSearchParams): UnknownParameters | null {
  const own = SIDES.flatMap((side) => OF_EACH_FILM.map((name) => `${side}_${name}`));
  return unknownTo(query, [...own, ...OF_BOTH_FILMS]);
}

/** What is compared where the query does not say: one measurement for both loops, as on the page of one film, and each by itself. */
const DEFAULTS: Readonly<Record<Side, { readonly [Name in ParameterName]?: string }>> = {
  left: { rule: "nuwa", estimator: "receiver" },
  right: { scheme: "cubic", rule: "dynamic", estimator: "dashjs" },
};

/** A server that does not offer the scheme has its own default in the place of it. */
function defaultsOf(
  side: Side,
  schemes: ServerConfig["schemes"],
): { readonly [Name in ParameterName]?: string } {
  const { scheme, ...others } = DEFAULTS[side];
  const isOffered = scheme !== undefined && schemes.some(({ name }) => name === scheme);
  return isOffered ? { ...others, scheme } : others;
}

/** The query of one film alone, as `readChoices` takes it: always without sound, and playing when both are started. */
export function sideQuery(
  query: URLSearchParams,
  side: Side,
  schemes: ServerConfig["schemes"],
): URLSearchParams {
  const own = new URLSearchParams(query);
  const defaults = defaultsOf(side, schemes);
  for (const name of OF_EACH_FILM) {
    const value = query.get(`${side}_${name}`) ?? defaults[name];
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
export function withSide(
  query: URLSearchParams,
  side: Side,
  choices: Choices,
  wishes: Wishes = NO_WISHES,
): URLSearchParams {
  const own = withWishes(toQuery(new URLSearchParams(), choices), wishes);
  const next = new URLSearchParams(query);
  for (const name of OF_EACH_FILM) {
    const value = own.get(name);
    if (value === null) {
      next.delete(`${side}_${name}`);
    } else {
      next.set(`${side}_${name}`, value);
    }
  }
  return next;
}

interface SharedSide {
  readonly name: Side;
  readonly choices: Choices;
  readonly wishes: Wishes;
}

/** As `shareLink` of one film. */
export function shareComparison(
  address: string,
  sides: readonly SharedSide[],
  { link, config }: { link: LinkState | null; config: Pick<FilmConfig, "film" | "films" | "links"> },
): string {
  const url = new URL(address);
  let query = url.searchParams;
  for (const { name, choices, wishes } of sides) {
    query = withSide(query, name, choices, wishes);
  }
  if (config.films.length > 1) {
    query.set("film", config.film.name);
  }
  url.search = (config.links.length === 0 ? query : withLinkNumbers(query, link)).toString();
  url.hash = "";
  return url.href;
}
