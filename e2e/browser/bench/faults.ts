/** What becomes of a film with 8 s in its buffer when something goes wrong. The worst of the repeats counts. */
import type { FilmSource } from "../../../media/package-film.ts";
import { presentationOf } from "../cell/presentation.ts";
import { findBrowser } from "../chromium/browser.ts";
import type { Fault } from "../fault-rig/fault.ts";
import type { Outcome } from "../fault-rig/outcome.ts";
import { runFault } from "../fault-rig/run-fault.ts";
import { FAULTS } from "../faults/registry.ts";
import type { BenchContext, Figure, Reach } from "./benchmark.ts";
import { worstFigure } from "./figures.ts";

const FILM: FilmSource = { kind: "demo" };

export async function run(bench: BenchContext): Promise<Figure[]> {
  const chrome = await findBrowser();
  const { onProgress = () => undefined, signal } = bench.control;
  const presentation = await presentationOf(FILM, onProgress);
  const outcomes = new Map(FAULTS.map((fault) => [fault, [] as Outcome[]]));
  for (let repeat = 1; repeat <= bench.repeats; repeat += 1) {
    for (const fault of FAULTS) {
      signal?.throwIfAborted();
      onProgress(`repeat ${repeat} of ${bench.repeats}: ${fault.title}`);
      outcomes.get(fault)?.push(await runFault(fault, { chrome, presentation }));
    }
  }
  return [...outcomes].flatMap(([fault, seen]) => figuresOf(fault, seen));
}

function figuresOf({ title, expected }: Fault, outcomes: readonly Outcome[]): Figure[] {
  const { stalledSeconds, bytesAfterSeconds, firstFrameSeconds } = expected;
  const worst = (what: string, read: (outcome: Outcome) => number | null, reach?: Reach) =>
    worstFigure({ what: `${title}: ${what}`, unit: "s", ...(reach && { reach }) }, outcomes.map(read));
  const figures = [worst("stalled", (outcome) => outcome.stalledSeconds, atMost(stalledSeconds))];
  if (bytesAfterSeconds !== undefined)
    figures.push(
      worst("bytes flow after", (outcome) => outcome.bytesAfterSeconds, atMost(bytesAfterSeconds)),
    );
  if (firstFrameSeconds !== undefined)
    figures.push(worst("first frame", (outcome) => outcome.firstFrameSeconds, atMost(firstFrameSeconds)));
  figures.push(worst("WebTransport again after", (outcome) => outcome.webTransportAfterSeconds));
  return figures;
}

const atMost = (value: number): Reach => ({ comparison: "at most", value });
