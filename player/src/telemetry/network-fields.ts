import type { NetworkEstimate } from "../receiver/network-estimate.ts";
import { fineMs, kbps } from "./cmcd-values.ts";
import type { EventFields } from "./vocabulary.ts";

/** What the receiver knows of the network, in the vocabulary's words; what it does not know is left out. */
export function networkFields(estimate: NetworkEstimate | null): EventFields {
  if (estimate === null) return {};
  const { bandwidthBitsPerSecond, targetDelaySeconds, windowBytes, cwndBytes, smoothedRttSeconds, k } =
    estimate;
  return {
    "nuwa-qd": fineMs(estimate.queueingDelaySeconds),
    "nuwa-dr": kbps(estimate.deliveredBitsPerSecond),
    "nuwa-missing": estimate.stampsMissing,
    ...(bandwidthBitsPerSecond !== null && { "nuwa-bw": kbps(bandwidthBitsPerSecond) }),
    ...(targetDelaySeconds !== null && { "nuwa-td": fineMs(targetDelaySeconds) }),
    ...(windowBytes !== null && { "nuwa-w": Math.round(windowBytes) }),
    ...(cwndBytes !== null && { "nuwa-cwnd": Math.round(cwndBytes) }),
    ...(smoothedRttSeconds !== null && { "nuwa-rtt": fineMs(smoothedRttSeconds) }),
    ...(k !== null && { "nuwa-k": Math.round(k * 1000) / 1000 }),
  };
}
