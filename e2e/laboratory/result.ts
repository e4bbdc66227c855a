import type { SchemeDecisions } from "../browser/cell/decisions.ts";

/**
 * What a run measured; null is what cannot be measured where it took place. Rates are as the link counts, with all headers; goodput
 * alone counts UDP payload (in simulation) or the responses' bytes (where it is emulated).
 */
export interface RunResult {
  flows: readonly FlowResult[];
  link: LinkResult;
  intervals: Intervals;
  /** CPU seconds of the media server per second of the run; null in simulation. */
  serverCpuShare: number | null;
  /** One for each learned scheme. */
  decisions: readonly SchemeDecisions[];
}

export interface FlowResult {
  scheme: string;
  /** What arrived and was of use, over the time in which the flow was active. */
  goodputBitsPerSecond: number;
  /** What arrived, over the same time. */
  throughputBitsPerSecond: number;
  queueingDelay: DelaySummary | null;
  packetsSent: number | null;
  packetsLost: number | null;
  spuriousLosses: number | null;
  rttMeanMs: number | null;
}

export interface DelaySummary {
  meanMs: number;
  p50Ms: number;
  p95Ms: number;
  maxMs: number;
}

export interface LinkResult {
  capacityBitsPerSecond: number;
  throughputBitsPerSecond: number;
  /** Of all flows' packets together; null where none left. */
  queueingDelay: DelaySummary | null;
  /** By the queue. */
  dropped: number | null;
  /** By chance. */
  lost: number | null;
}

/** Consecutive stretches of INTERVAL_SECONDS from the run's beginning. */
export interface Intervals {
  /** When each begins. */
  timeSeconds: readonly number[];
  capacityBitsPerSecond: readonly number[];
  flows: readonly FlowIntervals[];
}

export interface FlowIntervals {
  deliveredBitsPerSecond: readonly number[];
  /** null where nothing arrived. */
  queueingDelayMeanMs: readonly (number | null)[];
  queueingDelayP95Ms: readonly (number | null)[];
  /** At the interval's end. */
  cwndBytes: readonly (number | null)[];
  bytesInFlight: readonly (number | null)[];
  pacingBitsPerSecond: readonly (number | null)[];
}

/** Why a run came to nothing: whose fault it was, in a sentence, and in what state. */
export interface RunFailure {
  /** null where it was no scheme's. */
  scheme: string | null;
  message: string;
  state: Readonly<Record<string, unknown>>;
}

/** A run that failed, to be recorded as failed while the others go on. */
export class RunError extends Error {
  readonly failure: RunFailure;

  constructor(failure: RunFailure, options?: ErrorOptions) {
    super(failure.message, options);
    this.failure = failure;
  }
}
