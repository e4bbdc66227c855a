/** What the page says in words. Pure. */

import type { SwitchRecord } from "../../dash/play-log.ts";
import type { LinkState } from "../../options/server-config.ts";
import type { QoeSummary } from "../../qoe/running-qoe.ts";
import type { NetworkEstimate } from "../../session/network-estimate.ts";
import type { PolicyReport } from "../../session/policy/policy-report.ts";
import { RETRY_AFTER_MS } from "../../session/reconnect-schedule.ts";
import type { Snapshot } from "../nuwa-stream.ts";
import { capitalise, clockText, counted, megabits, milliseconds, NOTHING, seconds } from "./units.ts";

const LONGEST_RETRY_SECONDS = Math.max(...RETRY_AFTER_MS) / 1000;

/** How the film comes, and what it comes through. */
export function pathSentence(
  {
    path,
    link,
    choices,
    failure,
    session,
  }: Pick<Snapshot, "path" | "link" | "choices" | "failure" | "session">,
  isShared = false,
): string {
  if (failure !== null) {
    return "Not playing; the notice says why";
  }
  if (choices?.transport === "http") {
    return `Over HTTP, by dash.js’s own loader${roundTheLink(link)}`;
  }
  const through =
    link === null
      ? ""
      : `, through the emulated link “${link.title}”${isShared ? ", which all open pages share" : ""}`;
  switch (path?.kind) {
    case "webtransport":
      return `Over WebTransport${through}`;
    case "http":
      return `Over HTTP${roundTheLink(link)}${path.reason === null ? "" : `: ${lowered(path.reason)}${triedAgain(session)}`}`;
    default:
      if (session === "idle") {
        return "No session until something is to be fetched: others needed its place";
      }
      return path?.reason == null ? "Connecting" : `Connecting: ${lowered(path.reason)}`;
  }
}

/** A server that is full keeps no line in which there is a place: only that nobody has to reload the page can be told. */
const triedAgain = (session: Snapshot["session"]): string =>
  session === "lost" || session === "opening"
    ? `. WebTransport is tried again, after ${LONGEST_RETRY_SECONDS} s or so at the latest`
    : "";

const roundTheLink = (link: LinkState | null): string => (link === null ? "" : ", round the emulated link");

/** Why a learned scheme does without its policy; null while nothing is wrong. */
export function policySentence(report: PolicyReport | null, schemeTitle: string): string | null {
  return report === null || report.trouble === null
    ? null
    : `${schemeTitle} runs its heuristic: ${report.trouble}.`;
}

/** What became of a learned scheme's requests to its policy. */
export function decisionsText(report: PolicyReport | null): string {
  return report === null ? NOTHING : `${report.decided}, ${report.late + report.failed} missed`;
}

/** How long a decision takes: the median, and what 99 % do not exceed. */
export function decisionTimeText(report: PolicyReport | null): string {
  if (report === null || report.medianMs === null || report.p99Ms === null) {
    return NOTHING;
  }
  return `${report.medianMs.toFixed(1)}, p99 ${report.p99Ms.toFixed(1)} ms`;
}

/** That the viewer's computer is too busy to receive in time. */
export function lateHostSentence(lateMs: number): string {
  return `This computer is busy: up to ${lateMs} ms of the delay may be its own, not the network’s.`;
}

/** What an emulated link is like, and who else is behind it. */
export function linkSentence(link: LinkState | null, isShared: boolean): string {
  if (link === null) {
    return "The network as it is; nothing is emulated.";
  }
  const loss = link.lossRatio === 0 ? "" : `, ${lossText(link.lossRatio)}`;
  const others = isShared ? "All open pages share it" : "Each open page has its own";
  return `${link.delayMs} ms each way, ${queueText(link.queuePackets)}${loss}. ${others}.`;
}

/** That the link which was asked for is not emulated, and why. */
export function linkNotChangedSentence(reason: string): string {
  return `The link was not changed, since ${lowered(reason)}.`;
}

/** @param packets null without a limit */
export function queueText(packets: number | null): string {
  return packets === null ? "no limit to its queue" : `a queue of ${packets} packets`;
}

export function lossText(ratio: number): string {
  return ratio === 0 ? "no loss" : `${Number((100 * ratio).toPrecision(3))} % loss`;
}

/** The running quality of experience since the last change, if there was one, and of the whole film. */
export function qoeSentences(since: QoeSummary, whole: QoeSummary, nowMs: number): string {
  const ofWhole = qoeSentence(whole, nowMs);
  return since.sinceMs === null ? ofWhole : `${qoeSentence(since, nowMs)} Whole film: ${lowered(ofWhole)}.`;
}

/** The running quality of experience in one line, and since when it is counted. */
export function qoeSentence(qoe: QoeSummary, nowMs: number): string {
  const since = qoe.sinceMs === null ? "" : `Since the change ${clockText(nowMs - qoe.sinceMs)} ago: `;
  if (qoe.linear === null || qoe.linearPerSegment === null) {
    return since === ""
      ? "Nothing was played yet."
      : `${since}nothing that was fetched since is on the screen yet.`;
  }
  const startup = qoe.startupSeconds === null ? [] : [`first frame after ${seconds(qoe.startupSeconds, 2)}`];
  const stalled = qoe.stallCount === 0 ? "" : ` (${seconds(qoe.stalledSeconds, 1)})`;
  const parts = [
    ...startup,
    `${counted(qoe.stallCount, "stall")}${stalled}`,
    counted(qoe.switches, "switch", "switches"),
    `${megabits(qoe.meanBitsPerSecond)} on average`,
  ];
  return capitalise(
    `${since}${parts.join(", ")}; QoE_lin ${qoe.linear.toFixed(1)}, ${qoe.linearPerSegment.toFixed(2)} per segment.`,
  );
}

/** What the charts show, in words, for whoever does not see them; null before anything is on the screen. */
export function summarySentence(snapshot: Snapshot): string | null {
  const { estimate, dashjsBitsPerSecond, playedBitsPerSecond } = snapshot;
  if (playedBitsPerSecond === null) {
    return null;
  }
  const bandwidth = [
    ...(estimate?.bandwidthBitsPerSecond == null
      ? []
      : [`${megabits(estimate.bandwidthBitsPerSecond)} by the receiver`]),
    ...(dashjsBitsPerSecond === null ? [] : [`${megabits(dashjsBitsPerSecond)} by dash.js`]),
  ];
  const target = estimate?.targetDelaySeconds ?? null;
  const parts = [
    ...(bandwidth.length === 0 ? [] : [`bandwidth ${bandwidth.join(", ")}`]),
    ...(estimate === null
      ? []
      : [`${delayText(estimate)}${target === null ? "" : ` with a target of ${milliseconds(target)}`}`]),
    `${seconds(snapshot.bufferSeconds, 0)} of buffer`,
    `${megabits(playedBitsPerSecond)} on the screen`,
    `${counted(snapshot.stallCount, "stall")} so far`,
  ];
  return `Now: ${parts.join("; ")}.`;
}

/** The same of two films. */
export function comparisonSentence(
  [left, right]: readonly [Snapshot, Snapshot],
  [nameOfLeft, nameOfRight]: readonly [string, string],
): string | null {
  if (left.playedBitsPerSecond === null && right.playedBitsPerSecond === null) {
    return null;
  }
  const side = ({ estimate, bufferSeconds, playedBitsPerSecond, stallCount }: Snapshot): string =>
    [
      playedBitsPerSecond === null ? "nothing on the screen yet" : megabits(playedBitsPerSecond),
      ...(estimate === null ? [] : [delayText(estimate)]),
      `${seconds(bufferSeconds, 0)} of buffer`,
      `${counted(stallCount, "stall")} so far`,
    ].join(", ");
  return `Now: ${nameOfLeft} ${side(left)}; ${nameOfRight} ${side(right)}.`;
}

const delayText = ({ queueingDelaySeconds }: NetworkEstimate): string =>
  `queueing delay ${milliseconds(queueingDelaySeconds)}`;

/** Who decided the last switch of bitrate, and by which numbers. */
export function switchSentence(record: SwitchRecord | null): string {
  if (record === null) {
    return "No bitrate was chosen yet.";
  }
  const to = megabits(record.toBitsPerSecond, 2);
  if (record.fromBitsPerSecond === null) {
    return `Began with ${to}, before anything was measured.`;
  }
  const from = (record.fromBitsPerSecond / 1e6).toFixed(2);
  const why = reasonText(record);
  return `${from} → ${to} by ${deciderTitle(record.decidedBy)}${why === "" ? "." : `: ${why}.`}`;
}

const DASHJS_DECIDERS: Readonly<Record<string, string>> = {
  ThroughputRule: "dash.js’s throughput rule",
  BolaRule: "dash.js’s BOLA rule",
  InsufficientBufferRule: "dash.js’s insufficient buffer rule",
  SwitchHistoryRule: "dash.js’s switch history rule",
  DroppedFramesRule: "dash.js’s dropped frames rule",
  AbandonRequestsRule: "dash.js’s abandon requests rule",
  L2ARule: "dash.js’s L2A rule",
  LoLPRule: "dash.js’s LoL+ rule",
  manual: "your choice",
};

export function deciderTitle(name: string): string {
  return DASHJS_DECIDERS[name] ?? name;
}

type Reason = NonNullable<SwitchRecord["reason"]>;

function reasonText({ reason }: Pick<SwitchRecord, "reason">): string {
  if (reason === null) {
    return "";
  }
  switch (reason.why) {
    case "plan":
      return planText(reason);
    case "download would stall":
      return (
        `the download would have taken ${inSeconds(reason, "remainingSeconds")} more with ` +
        `${inSeconds(reason, "bufferSeconds")} of buffer left; its replacement takes ` +
        `${inSeconds(reason, "replacementSeconds")} at ${megabits(numberOf(reason, "bandwidthBitsPerSecond"))}`
      );
    case "no estimate yet":
      return "nothing was measured yet";
    default:
      return typeof reason.why === "string" ? reason.why : dashjsText(reason);
  }
}

/** What a rule went by, whatever it decided. */
export function reasonNumbers(reason: SwitchRecord["reason"]): string {
  if (reason === null) {
    return "";
  }
  switch (reason.why) {
    case "plan":
      return plannedWith(reason);
    case "download would stall":
      return `${megabits(numberOf(reason, "bandwidthBitsPerSecond"))}, ${inSeconds(reason, "bufferSeconds")} buffered`;
    case "no estimate yet":
      return "no estimate yet";
    default:
      return reasonText({ reason });
  }
}

function plannedWith(reason: Reason): string {
  const safety = numberOf(reason, "safety");
  const share = safety === null ? "" : `${Math.round(100 * safety)} % of `;
  return (
    `${share}${megabits(numberOf(reason, "bandwidthBitsPerSecond"))}, ` +
    `${inSeconds(reason, "bufferSeconds")} buffered and ` +
    `${milliseconds(numberOf(reason, "queueingDelaySeconds"))} of queue`
  );
}

function planText(reason: Reason): string {
  const stall = numberOf(reason, "predictedStallSeconds") ?? 0;
  const outcome =
    stall > 0.05
      ? `a stall of ${seconds(stall, 1)} to be expected`
      : `about ${inSeconds(reason, "predictedBufferSeconds")} of buffer after it`;
  const isShare = numberOf(reason, "safety") !== null;
  return `${isShare ? "counting on " : ""}${plannedWith(reason)}, ${outcome}`;
}

/** dash.js's rules give kbit/s; their names are theirs. */
function dashjsText(reason: Reason): string {
  const throughput = numberOf(reason, "throughput") ?? numberOf(reason, "throughputInKbit");
  const limit = numberOf(reason, "bitrate");
  const buffer = numberOf(reason, "bufferLevel");
  const drops = numberOf(reason, "drops");
  const dropped = numberOf(reason, "droppedFrames");
  return [
    throughput === null ? [] : [`a throughput of ${megabits(1000 * throughput)}`],
    limit === null ? [] : [`at most ${megabits(1000 * limit)} before the buffer is empty`],
    buffer === null ? [] : [`${seconds(buffer, 1)} buffered`],
    drops === null ? [] : [`${counted(drops, "step")} down before from here`],
    dropped === null ? [] : [`${counted(dropped, "frame")} dropped`],
  ]
    .flat()
    .join(", ");
}

function numberOf(reason: Reason, name: string): number | null {
  const value = reason[name];
  return typeof value === "number" ? value : null;
}

function inSeconds(reason: Reason, name: string): string {
  const value = numberOf(reason, name);
  return value === null ? NOTHING : seconds(value, 1);
}

/** A sentence that goes on behind a colon: no capital, unless it is a name, and no full stop. */
function lowered(sentence: string): string {
  const text = sentence.replace(/\.$/, "");
  return /^[A-Z][a-z]* /.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
