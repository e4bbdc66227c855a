/** The page as another machine opens it: over HTTPS by address, and behind proxies by name; machines are namespaces. */

import { findBrowser } from "../browsers/find-browser.ts";
import { presentationOf } from "../cell/presentation.ts";
import { visit, WAYS, type Way, whyNotVisited } from "../second-machine/visit.ts";
import type { BenchContext, Figure, Sample } from "./benchmark.ts";
import { atMost, medianFigure } from "./figures.ts";

export const SUBJECTS = WAYS;

const SHORT_FILM = { kind: "demo", durationSeconds: 30 } as const;

export async function run(bench: BenchContext): Promise<Figure[]> {
  const program = await findBrowser();
  const film = await presentationOf(SHORT_FILM, () => undefined);
  const samples = new Map<Way, Sample[]>(WAYS.filter((way) => bench.isChosen(way)).map((way) => [way, []]));
  for (const way of samples.keys()) {
    const reason = await whyNotVisited(way);
    if (reason !== null) throw new Error(reason);
  }
  for (const way of bench.turns([...samples.keys()])) {
    const { path, firstFrameSeconds } = await visit(way, program, film);
    if (path !== "webtransport") throw new Error(`${way}: the film came over HTTP: ${path}`);
    samples.get(way)?.push(firstFrameSeconds);
  }
  return [...samples].map(([way, ofWay]) =>
    medianFigure(`${way}, over WebTransport: page to first frame`, ofWay, "s", atMost(1.5)),
  );
}
