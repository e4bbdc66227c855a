import type { Phase } from "../../../cc/receiver/receiver-scheme.ts";
import type { PolicyReport } from "./policy/policy-report.ts";

/** What the receiver knows of the network at a moment. */
export interface NetworkEstimate {
  /** ms of the epoch, with a fraction. */
  readonly atMs: number;
  /** Estimated capacity of the path; null until something was measured. Holds between downloads. */
  readonly bandwidthBitsPerSecond: number | null;
  /** What reached the worker during the last second; 0 when nothing was sent. */
  readonly deliveredBitsPerSecond: number;
  readonly queueingDelaySeconds: number;
  /** null under a scheme that has no target. */
  readonly targetDelaySeconds: number | null;
  /** The window asked for; null under a sender-side scheme. */
  readonly windowBytes: number | null;
  /** The rate that the player's need lets the window carry; null where it is bound by none. */
  readonly wantedBitsPerSecond: number | null;
  /** Whether the window is held to that: the bandwidth is then at least what it says. */
  readonly isHeld: boolean;
  /** The sender's congestion window in the newest stamp; null before the first. */
  readonly cwndBytes: number | null;
  readonly smoothedRttSeconds: number | null;
  /** null under a scheme without it. */
  readonly k: number | null;
  readonly phase: Phase | null;
  /** Since bytes of an open request last arrived, or since it was made; 0 when none is open. */
  readonly silenceSeconds: number;
  readonly stampsReceived: number;
  readonly stampsMissing: number;
  /** Datagrams that were no valid stamps. */
  readonly malformedDatagrams: number;
  /** By how much the receiver's thread woke late at most in the last second: this computer's part, not the network's. */
  readonly hostLateSeconds: number;
  /** null under a scheme that asks no policy in the receiver. */
  readonly policy: PolicyReport | null;
}
