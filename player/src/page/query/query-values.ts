/** Values of a query, checked. Pure. */

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
  name: string,
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

type Range = readonly [least: number, most: number];

/** A number of the query; null where it has none. Throws BadChoice. */
export function numberIn(query: URLSearchParams, name: string, range: Range): number | null {
  return valueIn(query, name, range, { kind: "number", isOne: () => true });
}

/** A whole number of the query; null where it has none. Throws BadChoice. */
export function wholeIn(query: URLSearchParams, name: string, range: Range): number | null {
  return valueIn(query, name, range, { kind: "whole number", isOne: Number.isInteger });
}

interface Kind {
  readonly kind: string;
  isOne(value: number): boolean;
}

function valueIn(
  query: URLSearchParams,
  name: string,
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
