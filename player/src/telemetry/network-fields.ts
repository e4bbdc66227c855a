import type { NetworkEstimate } from "../session/network-estimate.ts";
import type { PolicyReport } from "../session/policy/policy-report.ts";
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
    "nuwa-late": fineMs(estimate.hostLateSeconds),
    ...(bandwidthBitsPerSecond !== null && { "nuwa-bw": kbps(bandwidthBitsPerSecond) }),
    ...(targetDelaySeconds !== null && { "nuwa-td": fineMs(targetDelaySeconds) }),
    ...(windowBytes !== null && { "nuwa-w": Math.round(windowBytes) }),
    ...(cwndBytes !== null && { "nuwa-cwnd": Math.round(cwndBytes) }),
    ...(smoothedRttSeconds !== null && { "nuwa-rtt": fineMs(smoothedRttSeconds) }),
    ...policyFields(estimate.policy),
    ...(k !== null && { "nuwa-k": Math.round(k * 1000) / 1000 }),
  };
}

function policyFields(policy: PolicyReport | null): EventFields {
  if (policy === null) return {};
  const { decided, late, failed, p99Ms } = policy;
  return {
    "nuwa-dec": decided,
    "nuwa-undec": late + failed,
    ...(p99Ms !== null && { "nuwa-dect": fineMs(p99Ms / 1000) }),
  };
}
