/** What all of it is for: the film, over the same WebTransport path, with and without the receiver in control. */
import type { FilmWorkload } from "../cell/parameters.ts";
import type { BenchContext, CellChanges, Figure } from "./benchmark.ts";
import { differences, meanFigure, valuesOf } from "./figures.ts";

const LINK = { trace: "Verizon-LTE-short", delayMs: 20, queuePackets: 1000, lossRatio: 0 };
const FILM: FilmWorkload = { kind: "film", source: { kind: "demo" }, watchSeconds: 60, seeks: [] };

export async function run(bench: BenchContext): Promise<Figure[]> {
  const shared: CellChanges = { name: "bench-qoe", link: LINK, workload: FILM };
  const { ours, theirs } = await bench.interleave({
    ours: {
      ...shared,
      ...{ scheme: "nuwa", rule: "nuwa", estimator: "nuwa", preset: bench.presetOr("on-demand") },
    },
    theirs: { ...shared, scheme: "cubic", rule: "dynamic", estimator: "dashjs" },
  });
  const qoe = {
    ours: valuesOf(ours, (metrics) => metrics.qoe?.total),
    theirs: valuesOf(theirs, (metrics) => metrics.qoe?.total),
  };
  const beside = (what: string, unit: string, read: Parameters<typeof valuesOf>[1]) => [
    meanFigure({ what: `${what}, Nuwa`, unit }, valuesOf(ours, read)),
    meanFigure({ what: `${what}, CUBIC`, unit }, valuesOf(theirs, read)),
  ];
  return [
    meanFigure({ what: "QoE_lin, Nuwa", unit: "" }, qoe.ours),
    meanFigure({ what: "QoE_lin, CUBIC", unit: "" }, qoe.theirs),
    meanFigure(
      { what: "QoE_lin, Nuwa - CUBIC", unit: "", reach: { comparison: "above", value: 0 } },
      differences(qoe.ours, qoe.theirs),
    ),
    ...beside("mean bitrate", "Mbit/s", meanBitrate),
    ...beside("rebuffering", "s", ({ playback }) => playback?.rebufferSeconds),
    ...beside("switches", "", ({ switches }) => switches),
    ...beside("start-up", "s", ({ playback }) => playback?.startupSeconds),
    ...beside("p95 queueing delay", "ms", ({ link }) => link?.queueingDelayP95Ms),
  ];
}

const meanBitrate: Parameters<typeof valuesOf>[1] = ({ segmentMegabitsPerSecond: bitrates }) =>
  bitrates === null || bitrates.length === 0
    ? null
    : bitrates.reduce((sum, bitrate) => sum + bitrate, 0) / bitrates.length;
