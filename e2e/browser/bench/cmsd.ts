/** dash.js as it is published over HTTP/3: the error of its estimate with what the answers say of the path, and without. */
import { findBrowser } from "../browsers/find-browser.ts";
import { estimateError } from "../cell/metrics.ts";
import { presentationOf } from "../cell/presentation.ts";
import { findTraces } from "../link/trace.ts";
import { playPlainly, type Samples } from "../plain-player/play.ts";
import { rateAtHeads } from "../plain-player/rate-at-heads.ts";
import type { BenchContext, Figure, Sample } from "./benchmark.ts";
import { atMost, medianFigure, percent, ratios } from "./figures.ts";

/** Of generated links, those whose rate the film's ladder meets. */
export const SUBJECTS: readonly string[] = ["8mbit", "steps", "lte-like", "5g-like", "wifi-like"];

const WATCH_SECONDS = 60;
const HALF = atMost(0.5);

export async function run(bench: BenchContext): Promise<Figure[]> {
  const program = await findBrowser();
  const film = await presentationOf({ kind: "demo" }, () => undefined);
  const figures: Figure[] = [];
  for (const trace of SUBJECTS.filter((name) => bench.isChosen(name))) {
    const traces = await findTraces(trace, null);
    const link = { traces, delayMs: 20, queuePackets: 300, lossRatio: 0 };
    const errors: Record<Samples, Sample[]> = { cmsd: [], own: [], "newest-own": [] };
    const bounds: Sample[] = [];
    for (const arm of bench.turns(Object.keys(errors) as Samples[], `${trace}, `)) {
      const { estimates, told, log, window } = await playPlainly({
        program,
        film: film.directory,
        link,
        scheme: "cubic",
        samples: arm,
        watchSeconds: WATCH_SECONDS,
      });
      errors[arm].push(percent(estimateError(estimates, log, window)?.ofPayloadCapacity));
      if (arm === "cmsd") {
        bounds.push(percent(estimateError(rateAtHeads(told, log, window), log, window)?.ofLinkCapacity));
      }
    }
    figures.push(
      medianFigure(`${trace}: error of dash.js by CMSD`, errors.cmsd, "%"),
      medianFigure(`${trace}: error of dash.js by itself`, errors.own, "%"),
      medianFigure(`${trace}: same, of its newest sample`, errors["newest-own"], "%"),
      medianFigure(`${trace}: same, of the link's true rate at an answer's head`, bounds, "%"),
      medianFigure(`${trace}: by CMSD / by itself`, ratios(errors.cmsd, errors.own), "", HALF),
    );
  }
  return figures;
}
