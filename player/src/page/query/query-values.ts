/** Values of a query, checked. Pure. */

import { type FlagName, PARAMETERS, type ParameterName, type Range } from "./parameters.ts";

/** The query asks for what there is not; one sentence that names the bad value. */
export class BadChoice extends Error {
  override readonly name = "BadChoice";
  readonly parameter: string;
  readonly value: string;
  /** The names that there are; none of a number. */
  readonly known: readonly string[];

  constructor(sentence: string, parameter: string, value: string, known: readonly string[] = []) {
    super(sentence);
    this.parameter = parameter;
    this.value = value;
    this.known = known;
  }
}

/** One of the known names; the fallback where the query has none. Throws BadChoice. */
export function oneOf<T extends string>(
  query: URLSearchParams,
  name: ParameterName,
  known: readonly T[],
  fallback: T,
): T {
  const value = query.get(name);
  if (value === null) {
    return fallback;
  }
  const found = known.find((entry) => entry === value);
  if (found === undefined) {
    const sentence = `There is no ${name} called ${value}; choose one of ${known.join(", ")}.`;
    throw new BadChoice(sentence, name, value, known);
  }
  return found;
}

/** Whether the query says 1; what holds otherwise where it has none. Throws BadChoice. */
export function flagIn(query: URLSearchParams, name: FlagName): boolean {
  const text = query.get(name) ?? PARAMETERS[name].otherwise;
  if (text !== "0" && text !== "1") {
    throw new BadChoice(`${name} must be 0 or 1, not ${text}.`, name, text);
  }
  return text === "1";
}

/** A number of the query; null where it has none. Throws BadChoice. */
export function numberIn(query: URLSearchParams, name: ParameterName, range: Range): number | null {
  return valueIn(query, name, range, { kind: "number", isOne: () => true });
}

/** A whole number of the query; null where it has none. Throws BadChoice. */
export function wholeIn(query: URLSearchParams, name: ParameterName, range: Range): number | null {
  return valueIn(query, name, range, { kind: "whole number", isOne: Number.isInteger });
}

interface Kind {
  readonly kind: string;
  isOne(value: number): boolean;
}

function valueIn(
  query: URLSearchParams,
  name: ParameterName,
  [least, most]: Range,
  { kind, isOne }: Kind,
): number | null {
  const text = query.get(name);
  if (text === null) {
    return null;
  }
  const value = Number(text);
  if (text.trim() === "" || !(value >= least && value <= most && isOne(value))) {
    throw new BadChoice(`${name} must be a ${kind} from ${least} to ${most}, not ${text}.`, name, text);
  }
  return value;
}
