/** What somebody meant who mistyped a name. Pure. */

import { distance } from "fastest-levenshtein";

/** What is shorter begins too many names. */
const LEAST_BEGINNING = 3;

/** The known name that is written most alike, capitals aside, or of which it is a part from the beginning; null where none is alike. */
export function nearestName(name: string, known: readonly string[]): string | null {
  const written = name.toLowerCase();
  const [nearest] = known
    .map((entry) => ({ entry, edits: distance(written, entry.toLowerCase()) }))
    .filter(({ entry, edits }) => isAlike(written, entry.toLowerCase(), edits))
    .toSorted((one, other) => one.edits - other.edits);
  return nearest?.entry ?? null;
}

function isAlike(written: string, entry: string, edits: number): boolean {
  const [short = "", long = ""] = [written, entry].toSorted((one, other) => one.length - other.length);
  const isBeginning = short.length >= LEAST_BEGINNING && long.startsWith(short);
  return isBeginning || edits <= Math.max(1, Math.floor(written.length / 3));
}
