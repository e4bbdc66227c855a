/** A query with mistakes, corrected: what it meant most likely. Loaded only where there is a mistake. Pure. */

import { nearestName } from "../../options/nearest-name.ts";
import type { UnknownParameters } from "./parameters.ts";
import { BadChoice } from "./query-values.ts";

export interface Mistake {
  /** One sentence: what is wrong, and the nearest that there is. */
  readonly sentence: string;
  readonly parameter: string;
  /** What is taken in its place; null for the default. */
  readonly instead: string | null;
}

export interface Corrected<T> {
  readonly result: T;
  readonly query: URLSearchParams;
  /** One at least. */
  readonly mistakes: readonly Mistake[];
}

/** Reads a query as often as it takes, each mistake replaced by the nearest name, or by the default. */
export function correctQuery<T>(query: URLSearchParams, read: (query: URLSearchParams) => T): Corrected<T> {
  const corrected = new URLSearchParams(query);
  const mistakes: Mistake[] = [];
  for (;;) {
    try {
      return { result: read(corrected), query: corrected, mistakes };
    } catch (error) {
      if (!(error instanceof BadChoice)) {
        throw error;
      }
      const instead = nearestName(error.value, error.known);
      mistakes.push({ sentence: choiceSentence(error), parameter: error.parameter, instead });
      if (instead === null) {
        corrected.delete(error.parameter);
      } else {
        corrected.set(error.parameter, instead);
      }
    }
  }
}

/** What is wrong with a value of the query. */
export function choiceSentence({ parameter, value, known, message }: BadChoice): string {
  const nearest = nearestName(value, known);
  return nearest === null ? message : `There is no ${parameter} called ${value}; the nearest is ${nearest}.`;
}

/** What is wrong with a link's name. */
export function unknownLinkSentence(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  const hint = nearest === null ? `choose one of ${known.join(", ")}` : `the nearest is ${nearest}`;
  return known.length === 0
    ? `This server emulates no link, so there is no ${name}; start it with npm start on Linux.`
    : `There is no emulated link called ${name}; ${hint}. The link stays as it is.`;
}

/** What is wrong with names in the query that mean nothing. */
export function parametersSentence({ names, known }: UnknownParameters): string {
  const nearest = names.map((name) => nearestName(name, known));
  const told = names.map((name, place) =>
    nearest[place] == null ? name : `${name} (did you mean ${nearest[place]}?)`,
  );
  const all = nearest.includes(null) ? `; its query may have ${known.join(", ")}` : "";
  return `The page knows no ${told.join(", ")}${all}.`;
}

/** What a button does that starts the film nevertheless. */
export function insteadText(mistakes: readonly Mistake[]): string {
  const names = mistakes.map(({ parameter, instead }) =>
    instead === null ? `the default ${parameter}` : `${parameter} ${instead}`,
  );
  return `Play with ${new Intl.ListFormat("en-GB").format(names)}`;
}
