/** What a session tells of itself: the estimate of the network, and each stamp. */

import type { ReceiverState, Stamp } from "../../../../cc/receiver/receiver-scheme.ts";
import type { NetworkEstimate } from "../network-estimate.ts";
import type { PolicyReport } from "../policy/policy-report.ts";
import type { StampGaps } from "./stamp-gaps.ts";

export interface MeasuredNow {
  /** ms of the epoch. */
  readonly atMs: number;
  readonly state: ReceiverState;
  /** null before the first. */
  readonly newestStamp: Stamp | null;
  readonly deliveredBitsPerSecond: number;
  /** Since bytes of an open request last arrived, or since it was made; 0 when none is open. */
  readonly silenceMs: number;
  readonly gaps: Pick<StampGaps, "received" | "missing">;
  readonly malformedDatagrams: number;
  readonly hostLateMs: number;
  readonly policy: PolicyReport | null;
}

export function networkEstimate(measured: MeasuredNow): NetworkEstimate {
  const { state, newestStamp, gaps, silenceMs, hostLateMs, ...told } = measured;
  return {
    ...told,
    bandwidthBitsPerSecond: state.bandwidthBitsPerSecond,
    queueingDelaySeconds: state.queueingDelaySeconds,
    targetDelaySeconds: state.targetDelaySeconds,
    windowBytes: state.windowBytes,
    wantedBitsPerSecond: state.wantedBitsPerSecond,
    isHeld: state.isHeld,
    cwndBytes: newestStamp?.cwndBytes ?? null,
    smoothedRttSeconds: newestStamp?.smoothedRttSeconds ?? null,
    k: state.k,
    phase: newestStamp?.phase ?? null,
    silenceSeconds: silenceMs / 1000,
    stampsReceived: gaps.received,
    stampsMissing: gaps.missing,
    hostLateSeconds: hostLateMs / 1000,
  };
}

export interface ReceivedStamp {
  readonly stamp: Stamp;
  /** ms of the epoch. */
  readonly receivedAtMs: number;
  /** It may have come so much earlier. */
  readonly lateMs: number;
  /** With the stamp taken into account. */
  readonly state: ReceiverState;
  /** Of the newest feedback. */
  readonly endSlowStart: boolean;
}
