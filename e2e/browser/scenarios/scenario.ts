import type { TestContext } from "vitest";
import { LADDER } from "../../../media/ladder.ts";
import { type CellParameters, DEFAULTS, type FilmWorkload } from "../cell/parameters.ts";
import type { PlayedFilm } from "../cell/presentation.ts";
import { type Cell, runCell } from "../cell/run-cell.ts";
import { requireBrowser, requireMahimahi } from "../requirements.ts";

/**
 * A demo film that is short, so that it is packaged once in seconds; all scenarios play it. Its rungs have the usual rates but
 * the highest, in smaller pictures: decoding them is half of what a browser does with 1080p.
 */
export const TEST_FILM: PlayedFilm = {
  kind: "demo",
  durationSeconds: 30,
  ladder: LADDER.slice(0, -1).map(({ videoBitsPerSecond }, index) => ({
    longSide: 416 + 32 * index,
    shortSide: 234 + 18 * index,
    videoBitsPerSecond,
  })),
};

export function watch(watchSeconds: number, seeks: FilmWorkload["seeks"] = []): FilmWorkload {
  return { kind: "film", source: TEST_FILM, watchSeconds, seeks };
}

/**
 * Runs a cell for a test: the defaults with these changes. Skips the test where the machine lacks what it takes. A page that
 * reports an error fails it.
 */
export async function runScenario(
  context: TestContext,
  changes: Pick<CellParameters, "name" | "link" | "workload"> & Partial<CellParameters>,
): Promise<Cell> {
  await requireBrowser(context, changes.browser);
  if (changes.link !== null && changes.link.via !== "relay") await requireMahimahi(context);
  return runCell({ ...DEFAULTS, ...changes }, { signal: context.signal });
}
