import type { Bundle } from "./bundle.ts";
import type { SchemeDecisions } from "./decisions.ts";
import type { HostLateness } from "./host-lateness.ts";
import type { CellParameters } from "./parameters.ts";

/** A run on one page, for people. */
export function summarise(bundle: Bundle): string {
  const { parameters, metrics, versions, problems } = bundle;
  const { link, page, playback, qoe } = metrics;
  const rows: [string, string][] = [
    ["link", describeLink(parameters)],
    ["goodput", unit(metrics.goodputMegabitsPerSecond, "Mbit/s")],
    ["link capacity, use", `${megabits(link?.capacityBitsPerSecond)}, ${percent(link?.utilisation)}`],
    ["queueing delay at the link: mean / p50 / p95 / max", delays(bundle)],
    ["packets dropped", link === null ? "-" : String(link.droppedPackets)],
    ["queueing delay seen in the page: mean / p95 / max", pageDelays(page)],
    ["page against link, mean absolute error", unit(metrics.pageDelayErrorMs, "ms")],
    ["page's computer late: median / max of seconds", lateness(metrics.hostLateness)],
    ["receiver's estimate, median error", percent(metrics.receiverEstimate?.ofPayloadCapacity)],
    ["dash.js's estimate, median error", percent(metrics.dashjsEstimate?.ofPayloadCapacity)],
    ["start-up", unit(playback?.startupSeconds, "s")],
    [
      "stalls",
      playback === null ? "-" : `${playback.stalls.length}, ${unit(playback.rebufferSeconds, "s")} in all`,
    ],
    ["switches", metrics.switches === null ? "-" : String(metrics.switches)],
    ["QoE_lin, per segment", qoe === null ? "-" : `${qoe.total.toFixed(2)}, ${qoe.perSegment.toFixed(3)}`],
    ["server CPU", unit(metrics.serverCpuSeconds, "s")],
    ...bundle.decisions.map((decisions): [string, string] => [
      "decisions of the policy",
      describe(decisions),
    ]),
  ];
  const table = rows.map(([name, value]) => `| ${name} | ${value} |`).join("\n");
  const heard = problems.length === 0 ? "none" : problems.map((problem) => `\n- ${problem}`).join("");
  return `# ${parameters.name}

Scheme ${parameters.scheme}, preset ${parameters.preset}, rule ${parameters.rule}, estimator ${parameters.estimator};
${bundle.startedAt}, commit ${versions.commit}${versions.hasLocalChanges ? " with local changes" : ""}, ${versions.browser}.

| | |
| --- | --- |
${table}

Errors of the page: ${heard}
`;
}

function describe({ scheme, isLoaded, decisions, answered, late, failed }: SchemeDecisions): string {
  if (!isLoaded) return `**none: ${scheme} ran its heuristic, its policy was not there**`;
  const counts = `${answered} of ${decisions} answered, ${late} late, ${failed} failed`;
  return answered === 0 && decisions > 1 ? `**${scheme} ran its heuristic: ${counts}**` : counts;
}

function describeLink({ link }: CellParameters): string {
  if (link === null) return "loopback";
  const { trace, delayMs, queuePackets, lossRatio, via = "mahimahi" } = link;
  return `${trace} (${via}), ${delayMs} ms each way, ${queuePackets} packets, loss ${lossRatio}`;
}

function delays({ metrics: { link } }: Bundle): string {
  if (link === null) return "-";
  const { queueingDelayMeanMs, queueingDelayP50Ms, queueingDelayP95Ms, queueingDelayMaxMs } = link;
  return joined([queueingDelayMeanMs, queueingDelayP50Ms, queueingDelayP95Ms, queueingDelayMaxMs]);
}

function pageDelays(page: Bundle["metrics"]["page"]): string {
  return page === null ? "-" : `${joined([page.meanMs, page.p95Ms, page.maxMs])} (${page.stamps} stamps)`;
}

function lateness(late: HostLateness | null): string {
  if (late === null) return "-";
  const figures = joined([late.medianMs, late.maxMs]);
  return late.isOverloaded ? `**${figures}: an overloaded computer, do not compare this run**` : figures;
}

function joined(values: readonly (number | null)[]): string {
  return `${values.map((value) => (value === null ? "-" : value.toFixed(1))).join(" / ")} ms`;
}

function unit(value: number | null | undefined, name: string): string {
  return value === null || value === undefined ? "-" : `${value.toFixed(2)} ${name}`;
}

function megabits(bitsPerSecond: number | undefined): string {
  return bitsPerSecond === undefined ? "-" : `${(bitsPerSecond / 1e6).toFixed(2)} Mbit/s`;
}

function percent(ratio: number | null | undefined): string {
  return ratio === null || ratio === undefined ? "-" : `${(ratio * 100).toFixed(1)} %`;
}
