/**
 * Nuwa-RL: Nuwa whose aggressiveness k is moved by a learned policy. The twin of nuwa_rl.py, where source and choices are
 * explained; both are held to the same vectors.
 */

import { type DecisionRequest, Decisions, type Feature, type Learned, type PolicySpace } from "./decision.ts";
import { K_RANGE, Nuwa, type NuwaParameters } from "./nuwa.ts";
import { type Feedback, PHASE, type Stamp } from "./receiver-scheme.ts";

const INTERVAL_SECONDS = 0.1;
const FACTORS = [0.25, 1, 1.05, 1.25, 2.85] as const;

const FEATURES: readonly Feature[] = [
  feature("received", "bytes", 1200, 2e6),
  feature("window", "bytes", 2400, 4e6),
  feature("receive_buffer", "bytes", 1200, 2e6),
  feature("one_way_delay", "s", 0.001, 2),
];

/** Nuwa with a learned k; the sender's half is cc/sender/receiver_driven.py. */
export class NuwaRl extends Nuwa implements Learned {
  static readonly policySpace: PolicySpace = {
    features: FEATURES,
    history: 1,
    actions: { kind: "choices", values: FACTORS },
    interval: "0.1 s, once slow start is over; ends with the first feedback after that",
  };

  readonly decisions = new Decisions(NuwaRl.policySpace);
  #learnedK: number;
  #interval: { beganSeconds: number; beganBytes: number; epoch: number } | null = null;
  /** null while the sender does not recover. */
  #recoveryBeganBytes: number | null = null;
  #mostWaitingBytes = 0;

  /** Throws RangeError for a parameter outside its range. */
  constructor(parameters: NuwaParameters) {
    super(parameters);
    this.#learnedK = parameters.k;
  }

  /** What waits for the policy. */
  get request(): DecisionRequest | null {
    return this.decisions.request;
  }

  /** Eq. 11. */
  onDecision(sequence: number, action: number | null): void {
    const accepted = this.decisions.accept(sequence, action);
    if (accepted !== null) this.#learnedK = nextK(this.#learnedK, FACTORS[accepted] as number);
    this.#chooseK();
  }

  /** As Nuwa, with the k of the last decision. */
  override onStamp(stamp: Stamp, receivedTimeSeconds: number, lateSeconds = 0): void {
    this.decisions.onEvent(receivedTimeSeconds);
    this.#chooseK();
    const last = this.lastStamp;
    super.onStamp(stamp, receivedTimeSeconds, lateSeconds);
    if (this.lastStamp !== last) this.#watchRecovery(stamp, last);
  }

  /** As Nuwa's; the first one after an interval's time ends it. */
  override feedback(nowSeconds: number): Feedback | null {
    const feedback = super.feedback(nowSeconds);
    if (feedback !== null && this.lastStamp !== null) this.#endIntervalWhenDue(this.lastStamp, nowSeconds);
    return feedback;
  }

  #chooseK(): void {
    this.k = this.decisions.usesHeuristic ? this.parameters.k : this.#learnedK;
  }

  #watchRecovery(stamp: Stamp, last: Stamp | null): void {
    if (stamp.phase !== PHASE.recovery) {
      this.#recoveryBeganBytes = null;
      return;
    }
    this.#recoveryBeganBytes ??= last?.bytesSent ?? stamp.bytesSent;
    this.#mostWaitingBytes = Math.max(this.#mostWaitingBytes, stamp.bytesSent - this.#recoveryBeganBytes);
  }

  /** An interval in which the clocks changed, or in slow start, is none: the next begins now. */
  #endIntervalWhenDue(stamp: Stamp, nowSeconds: number): void {
    const interval = this.#interval;
    if (interval === null || interval.epoch !== this.epochsBegun || stamp.phase === PHASE.slowStart) {
      this.#beginInterval(stamp, nowSeconds);
      return;
    }
    const durationSeconds = nowSeconds - interval.beganSeconds;
    if (durationSeconds < INTERVAL_SECONDS) return;
    if (this.decisions.usesHeuristic) this.#learnedK = this.parameters.k;
    const features = [
      (stamp.bytesSent - interval.beganBytes) * (INTERVAL_SECONDS / durationSeconds),
      (this.windowPackets ?? 0) * stamp.maxDatagramBytes,
      this.#mostWaitingBytes,
      this.measurement.queueingDelay.rawSeconds,
    ];
    this.decisions.endInterval(features, nowSeconds);
    this.#beginInterval(stamp, nowSeconds);
  }

  #beginInterval(stamp: Stamp, nowSeconds: number): void {
    this.#interval = { beganSeconds: nowSeconds, beganBytes: stamp.bytesSent, epoch: this.epochsBegun };
    this.#mostWaitingBytes = 0;
  }
}

function feature(name: string, unit: string, low: number, high: number): Feature {
  return { name, unit, low, high, isLogarithmic: true };
}

function nextK(k: number, factor: number): number {
  return Math.min(Math.max(k * factor, K_RANGE[0]), K_RANGE[1]);
}
