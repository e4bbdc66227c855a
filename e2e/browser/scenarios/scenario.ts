import type { TestContext } from "vitest";
import { type CellParameters, DEFAULTS, type FilmWorkload } from "../cell/parameters.ts";
import type { PlayedFilm } from "../cell/presentation.ts";
import { type Cell, runCell } from "../cell/run-cell.ts";
import { SMALL_PICTURES } from "../cell/small-pictures.ts";
import { requireBrowser, requireMahimahi } from "../requirements.ts";

/** A demo film that is short, so that it is packaged once in seconds; all scenarios play it. */
export const TEST_FILM: PlayedFilm = { kind: "demo", durationSeconds: 30, ladder: SMALL_PICTURES };

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
