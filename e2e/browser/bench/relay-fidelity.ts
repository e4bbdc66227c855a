/** Whether a link emulated by the relay is the link that mahimahi emulates. */
import type { SchemeName } from "../../../player/src/options/names.ts";
import type { CellMetrics } from "../cell/metrics.ts";
import type { EmulatedLink } from "../cell/parameters.ts";
import type { Cell } from "../cell/run-cell.ts";
import type { BenchContext, CellChanges, Figure } from "./benchmark.ts";
import { atMost, differences, meanFigure, ratios, valuesOf } from "./figures.ts";
import { OPEN_AT_LINK_SECONDS } from "./open-at-link.ts";

const LINKS = {
  "24mbit": { trace: "24mbit", delayMs: 20, queuePackets: 300, lossRatio: 0 },
  "Verizon-LTE-short": { trace: "Verizon-LTE-short", delayMs: 20, queuePackets: 1000, lossRatio: 0 },
} as const;
const SCHEMES = ["cubic", "nuwa"] as const;
const DOWNLOAD = { kind: "bulk", bytes: 30_000_000 } as const;
const LARGEST_DEVIATION = 0.05;
const LARGEST_DELAY_SHARE = 0.1;
const LARGEST_DELAY_MS = 5;

interface Pair {
  name: string;
  mahimahi: CellChanges;
  relay: CellChanges;
}

export const READS = ["repeats", "preset"] as const;

export async function run(bench: BenchContext): Promise<Figure[]> {
  const pairs = Object.values(LINKS).flatMap((link) => SCHEMES.map((scheme) => pairOf(bench, link, scheme)));
  const arms = Object.fromEntries(
    pairs.flatMap(({ name, mahimahi, relay }) => [
      [`${name}, mahimahi`, mahimahi],
      [`${name}, relay`, relay],
    ]),
  );
  const cells = await bench.interleave(arms);
  return pairs.flatMap(({ name }) =>
    compare(name, cells[`${name}, mahimahi`] as Cell[], cells[`${name}, relay`] as Cell[]),
  );
}

function pairOf(bench: BenchContext, link: EmulatedLink, scheme: SchemeName): Pair {
  const shared = {
    ...{ name: "bench-relay", workload: DOWNLOAD, openAtLinkSeconds: OPEN_AT_LINK_SECONDS },
    ...{ scheme, preset: bench.presetOr("on-demand") },
  };
  return {
    name: `${scheme}, ${link.trace}`,
    mahimahi: { ...shared, link: { ...link, via: "mahimahi" } },
    relay: { ...shared, link: { ...link, via: "relay" } },
  };
}

function compare(name: string, mahimahi: readonly Cell[], relay: readonly Cell[]): Figure[] {
  const throughput = ({ link }: CellMetrics) => link && link.throughputBitsPerSecond / 1e6;
  const delay = ({ link }: CellMetrics) => link?.queueingDelayMeanMs;
  const throughputs = [valuesOf(mahimahi, throughput), valuesOf(relay, throughput)] as const;
  const delays = [valuesOf(mahimahi, delay), valuesOf(relay, delay)] as const;
  const rates = throughputs.map((samples) => meanFigure("", samples, "Mbit/s").value);
  const waits = delays.map((samples) => meanFigure("", samples, "ms").value);
  return [
    meanFigure(`${name}: throughput, mahimahi`, throughputs[0], "Mbit/s"),
    meanFigure(`${name}: throughput, relay`, throughputs[1], "Mbit/s"),
    {
      ...{ what: `${name}: throughput, how far apart`, unit: "%", samples: percents(throughputs) },
      value: apart(rates, (one, other) => Math.abs(one / other - 1) * 100),
      reach: atMost(LARGEST_DEVIATION * 100),
    },
    meanFigure(`${name}: queueing delay, mahimahi`, delays[0], "ms"),
    meanFigure(`${name}: queueing delay, relay`, delays[1], "ms"),
    {
      ...{
        what: `${name}: queueing delay, how far apart`,
        unit: "ms",
        samples: differences(delays[1], delays[0]),
      },
      value: apart(waits, (one, other) => Math.abs(one - other)),
      reach: atMost(Math.max(LARGEST_DELAY_MS, LARGEST_DELAY_SHARE * (waits[0] ?? 0))),
    },
  ];
}

/** Of the means over the repeats; the samples beside it are the repeats' own. */
function apart(
  [mahimahi = null, relay = null]: readonly (number | null)[],
  measure: (relay: number, mahimahi: number) => number,
): number | null {
  return mahimahi === null || relay === null ? null : measure(relay, mahimahi);
}

function percents([mahimahi, relay]: readonly [readonly (number | null)[], readonly (number | null)[]]) {
  return ratios(relay, mahimahi).map((ratio) => (ratio === null ? null : (ratio - 1) * 100));
}
