/** A query with mistakes, corrected: what it meant most likely. Loaded only where there is a mistake. Pure. */

import { closest, distance } from "fastest-levenshtein";
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
      mistakes.push({ sentence: sentenceOf(error, instead), parameter: error.parameter, instead });
      if (instead === null) {
        corrected.delete(error.parameter);
      } else {
        corrected.set(error.parameter, instead);
      }
    }
  }
}

/** The known name that is written most alike; null where none is alike. */
export function nearestName(name: string, known: readonly string[]): string | null {
  if (known.length === 0) {
    return null;
  }
  const nearest = closest(name.toLowerCase(), known);
  const isAlike = distance(name.toLowerCase(), nearest) <= Math.max(1, Math.floor(name.length / 3));
  return isAlike ? nearest : null;
}

/** What is wrong with a link's name. */
export function unknownLinkSentence(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  const hint = nearest === null ? `choose one of ${known.join(", ")}` : `the nearest is ${nearest}`;
  return known.length === 0
    ? `This server emulates no link, so there is no ${name}; start it with npm start on Linux.`
    : `There is no emulated link called ${name}; ${hint}. The link stays as it is.`;
}

/** What a button does that starts the film nevertheless. */
export function insteadText(mistakes: readonly Mistake[]): string {
  const names = mistakes.map(({ parameter, instead }) =>
    instead === null ? `the default ${parameter}` : `${parameter} ${instead}`,
  );
  return `Play with ${new Intl.ListFormat("en-GB").format(names)}`;
}

function sentenceOf({ parameter, value, message }: BadChoice, instead: string | null): string {
  return instead === null ? message : `There is no ${parameter} called ${value}; the nearest is ${instead}.`;
}
