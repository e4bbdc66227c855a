import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Each takes longer than half a minute: scenarios, the longest first. */
export const LONG: readonly string[] = ["faults", "library-tarball", "page-policy", "page-pickers"];

/**
 * Where files run side by side one that takes minutes is not to begin last, and alone. Vitest goes by what files took when they
 * ran before, of which a fresh clone knows nothing, and then by their size.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return longestFirst(await super.sort(files));
  }
}

/** The others stay in their order. */
export function longestFirst<T extends { readonly moduleId: string }>(files: readonly T[]): T[] {
  return files.toSorted((one, other) => placeOf(one.moduleId) - placeOf(other.moduleId));
}

function placeOf(path: string): number {
  const place = LONG.findIndex((name) => path.endsWith(`/scenarios/${name}.test.ts`));
  return place === -1 ? LONG.length : place;
}
