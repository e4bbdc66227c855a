import { nearestName } from "../../../player/src/options/nearest-name.ts";
import { OptionError } from "../cell/options.ts";

/** @throws OptionError for a subject that a benchmark has not, with the nearest or all that it has */
export function requireSubjects(
  benchmark: string,
  subjects: readonly string[],
  known: readonly string[],
): void {
  for (const subject of subjects) {
    if (!known.includes(subject)) {
      throw new OptionError(`${benchmark} has no subject "${subject}": ${advice(subject, known)}`);
    }
  }
}

function advice(subject: string, known: readonly string[]): string {
  if (known.length === 0) return "it is measured whole";
  const nearest = nearestName(subject, known);
  return nearest === null ? `choose one of ${known.join(", ")}` : `did you mean ${nearest}?`;
}
