/** What all of it is for: the film, over the same WebTransport path, with and without the receiver in control. */
import type { FilmWorkload } from "../cell/parameters.ts";
import type { BenchContext, CellChanges, Figure } from "./benchmark.ts";
import { above, differences, meanFigure, valuesOf } from "./figures.ts";

const LINK = { trace: "Verizon-LTE-short", delayMs: 20, queuePackets: 1000, lossRatio: 0 };
const FILM: FilmWorkload = { kind: "film", source: { kind: "demo" }, watchSeconds: 60, seeks: [] };

type Reading = Parameters<typeof valuesOf>[1];

export const READS = ["repeats", "preset"] as const;

export async function run(bench: BenchContext): Promise<Figure[]> {
  const shared: CellChanges = { name: "bench-qoe", link: LINK, workload: FILM };
  const receiver: CellChanges = {
    ...shared,
    rule: "nuwa",
    estimator: "receiver",
    preset: bench.presetOr("on-demand"),
  };
  const arms = await bench.interleave({
    Kuafu: { ...receiver, scheme: "kuafu" },
    Nuwa: { ...receiver, scheme: "nuwa" },
    CUBIC: { ...shared, scheme: "cubic", rule: "dynamic", estimator: "dashjs" },
  });
  const qoe: Reading = (metrics) => metrics.qoe?.perSegment;
  const of = (what: string, unit: string, read: Reading) =>
    (["Kuafu", "Nuwa", "CUBIC"] as const).map((arm) =>
      meanFigure(`${what}, ${arm}`, valuesOf(arms[arm], read), unit),
    );
  const lead = (arm: "Kuafu" | "Nuwa") =>
    meanFigure(
      `QoE_lin a segment, ${arm} - CUBIC`,
      differences(valuesOf(arms[arm], qoe), valuesOf(arms.CUBIC, qoe)),
      "",
      above(0),
    );
  return [
    ...of("QoE_lin a segment", "", qoe),
    ...[lead("Kuafu"), lead("Nuwa")],
    ...of("mean bitrate", "Mbit/s", meanBitrate),
    ...of("rebuffering", "s", ({ playback }) => playback?.rebufferSeconds),
    ...of("switches", "", ({ switches }) => switches),
    ...of("start-up", "s", ({ playback }) => playback?.startupSeconds),
    ...of("p95 queueing delay", "ms", ({ link }) => link?.queueingDelayP95Ms),
  ];
}

const meanBitrate: Reading = ({ segmentMegabitsPerSecond: bitrates }) =>
  bitrates === null || bitrates.length === 0
    ? null
    : bitrates.reduce((sum, bitrate) => sum + bitrate, 0) / bitrates.length;
