import type { FilmSource } from "../../../media/package-film.ts";
import { presentationOf } from "../cell/presentation.ts";
import { findBrowser } from "../chromium/browser.ts";
import type { Fault } from "../faults/fault.ts";
import type { Outcome } from "../faults/outcome.ts";
import { FAULTS } from "../faults/registry.ts";
import { runFault } from "../faults/run-fault.ts";
import type { BenchContext, Benchmark, Figure, Reach } from "./benchmark.ts";
import { worstFigure } from "./figures.ts";

const FILM: FilmSource = { kind: "demo" };
const NO_STALL: Reach = { comparison: "at most", value: 0 };
/** Beyond the time that the network was gone and the buffer did not cover. */
const SHORT_STALL: Reach = { comparison: "at most", value: 2 };
const BYTES: Reach = { comparison: "at most", value: 3 };
const FIRST_FRAME: Reach = { comparison: "at most", value: 4 };

/** What becomes of a film with 8 s in its buffer when something goes wrong. The worst of the repeats counts. */
export const faults: Benchmark = {
  name: "faults",
  summary: "the fault matrix: stalls with a buffer of 8 s, and the time until bytes flow again",
  defaultRepeats: 3,
  run,
};

async function run(bench: BenchContext): Promise<Figure[]> {
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

function figuresOf(fault: Fault, outcomes: readonly Outcome[]): Figure[] {
  const { title, strike, withholds } = fault;
  const worst = (what: string, read: (outcome: Outcome) => number | null, reach?: Reach) =>
    worstFigure({ what: `${title}: ${what}`, unit: "s", ...(reach && { reach }) }, outcomes.map(read));
  const stalled = withholds === "the network" ? SHORT_STALL : NO_STALL;
  return [
    worst("stalled", ({ stalledSeconds }) => stalledSeconds, stalled),
    strike === undefined
      ? worst("first frame", ({ firstFrameSeconds }) => firstFrameSeconds, FIRST_FRAME)
      : worst("bytes flow after", ({ bytesAfterSeconds }) => bytesAfterSeconds, BYTES),
    worst("WebTransport again after", ({ webTransportAfterSeconds }) => webTransportAfterSeconds),
  ];
}
