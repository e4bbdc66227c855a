import { BUSY_SERVER_SHARE, type Bundle } from "../bundle.ts";
import type { MatrixRequest } from "../options.ts";
import { escapeHtml } from "./chart.ts";

/** What the figures mean, for whoever has only this page. */
export function methodSection({ places, spreadsStarts, flows }: MatrixRequest): string {
  const sentences = [
    "Throughput and capacity count bytes as the link does, headers included. Queueing delay is the time between entering and leaving the link's queue, one value a packet.",
    flows.length > 1
      ? "With several flows throughput is that of all together, and delays are those of all their packets together. Jain's index is taken over the last 30 s in which all flows were active."
      : "",
    "Means are over the seeds, with Student's t intervals of 95 %, cut where a quantity ends (no delay is below 0). Bootstrap intervals are too narrow for few runs: of three normal samples percentile ones hold the true mean in 75 of 100 cases and BCa in 73, of five in 85 and 84, while t holds it in 95. Where runs are very skewed t falls short, too. Two runs give very wide intervals, a single run none. Comparisons are of runs with the same seed: the mean and the t interval of their relative differences, pair by pair. Ellipses hold the mean with 95 % confidence (Hotelling's T², in the chart's coordinates) and are drawn from four runs on.",
    spreadsStarts
      ? "Each seed begins elsewhere in the link's trace, all schemes with the same seed at the same place."
      : "All runs begin where the link's trace begins.",
    places.includes("simulation")
      ? "Simulated runs happen in virtual time, over the link model that the relay runs in real time, late as mahimahi's processes are; ACKs wait for the uplink's opportunities and do not fill it."
      : "",
    places.some((place) => place !== "simulation")
      ? "Emulated runs go over real sockets; their receivers acknowledge as Chromium does. Capacity, throughput and delays come from the link's own log; the delays of one flow among several are those that its receiver measured."
      : "",
    "The star is a sender that knows the link's capacity in advance, always simulated: nobody can do better.",
  ];
  return `<section><h2>How to read it</h2>${sentences
    .filter((sentence) => sentence !== "")
    .map((sentence) => `<p>${escapeHtml(sentence)}</p>`)
    .join("")}</section>`;
}

/** What the runs were made with. */
export function aboutSection(bundle: Bundle): string {
  const { versions, machine, links, serverCpuShare, command, request } = bundle;
  const entries: [string, string][] = [
    ["Commit", `${versions.commit}${versions.hasLocalChanges ? " with local changes" : ""}`],
    ["Seeds", `1 to ${request.seeds}`],
    [
      "Versions",
      `Python ${versions.python}, Node ${versions.node}, aioquic ${versions.aioquic}${versions.mahimahi === null ? "" : `, mahimahi ${versions.mahimahi}`}, ${versions.kernel}`,
    ],
    ["Machine", `${machine.cores} cores, ${machine.cpu}, ${(machine.memoryBytes / 2 ** 30).toFixed(0)} GiB`],
    ...links.map(({ name, downlinkSha256 }): [string, string] => [
      `Trace ${name}`,
      `SHA-256 ${downlinkSha256}`,
    ]),
    ...(serverCpuShare === null ? [] : [["Server's CPU", describeCpu(serverCpuShare)] as [string, string]]),
    ["Written", bundle.writtenAt],
  ];
  const list = entries
    .map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`)
    .join("");
  return `<h2>How it was made</h2><pre>npm run bench -- ${escapeHtml(command.slice(2).map(quoted).join(" "))}</pre><dl>${list}</dl>
<p class="muted">Beside this page lie bundle.json, runs.parquet, flows.parquet and intervals.parquet: every figure, by run, by flow and by interval.</p>`;
}

function describeCpu({ median, largest, busyRuns }: NonNullable<Bundle["serverCpuShare"]>): string {
  const percent = (share: number) => `${(100 * share).toFixed(0)} %`;
  const busy =
    busyRuns.length === 0
      ? ""
      : `; ${busyRuns.length} runs above ${percent(BUSY_SERVER_SHARE)}, where the server may be what is measured`;
  return `median ${percent(median)} of a core, at most ${percent(largest)}${busy}`;
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
