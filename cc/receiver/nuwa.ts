/**
 * Nuwa: the receiver measures its queueing delay and works out the sender's window. The twin of
 * nuwa.py, where the deviations from the paper are explained; both are held to the same vectors.
 */

import { Measurement } from "./measurement.ts";
import {
  type Feedback,
  MINIMUM_WINDOW_PACKETS,
  PHASE,
  type ReceiverScheme,
  type ReceiverState,
  type Stamp,
} from "./receiver-scheme.ts";

export const K_RANGE = [1, 9] as const;
const MAXIMUM_UPDATES_PER_STAMP = 4096;
const GROWTH_BEYOND_SENDER = 2;
const SLOW_START_EXIT_SECONDS = [0.004, 0.016] as const;
const SLOW_START_EXIT_RTT_SHARE = 1 / 8;
const EXIT_RTT_SHARE = 1 / 4;
const DRAIN_AFTER_SECONDS = 20;
const DRAIN_SHARE = 0.8;

/** What an application chooses (cc/receiver/presets.json). */
export interface NuwaParameters {
  /** T_d: the queueing delay to hold. */
  readonly targetDelaySeconds: number;
  /** Sensitivity of the trend to the distance from the target (eq. 5). */
  readonly rhoSeconds: number;
  /** Aggressiveness, 1 to 9 (eq. 6). */
  readonly k: number;
}

/** The receiver's half; the sender's half is cc/sender/receiver_driven.py. */
export class Nuwa implements ReceiverScheme {
  readonly #parameters: NuwaParameters;
  readonly #measurement = new Measurement();
  #k: number;
  #windowPackets: number | null = null;
  #endSlowStart = false;
  /** Receive times and raw delays, oldest first, while slow start is watched. */
  readonly #slowStartDelays: { receivedTimeSeconds: number; delaySeconds: number }[] = [];
  #lastStamp: Stamp | null = null;
  #reportedStampSequence: number | null = null;
  #feedbackCount = 0;
  #drainUntilSeconds: number | null = null;
  #drainedTimeSeconds: number | null = null;
  /** The window before the delays became suspicious; null while they are not. */
  #trustedPackets: number | null = null;
  #epochsDrained = 0;

  /** Throws RangeError for a parameter outside its range. */
  constructor(parameters: NuwaParameters) {
    for (const name of ["targetDelaySeconds", "rhoSeconds"] as const) {
      const value = parameters[name];
      if (!(Number.isFinite(value) && value > 0)) {
        throw new RangeError(`${name} must be a positive number of seconds, not ${value}`);
      }
    }
    if (!(parameters.k >= K_RANGE[0] && parameters.k <= K_RANGE[1])) {
      throw new RangeError(`k must lie in [${K_RANGE[0]}, ${K_RANGE[1]}], not ${parameters.k}`);
    }
    this.#parameters = parameters;
    this.#k = parameters.k;
  }

  /** The window with its fractions; null before the first stamp. */
  get windowPackets(): number | null {
    return this.#windowPackets;
  }

  /** Measures, then moves the window; a stamp older than the newest seen is ignored. */
  onStamp(stamp: Stamp, receivedTimeSeconds: number): void {
    const last = this.#lastStamp;
    if (last !== null && stamp.sequence <= last.sequence) return;
    const beginsEpoch = this.#measurement.onStamp(stamp, receivedTimeSeconds);
    this.#lastStamp = stamp;
    if (beginsEpoch || last === null || this.#windowPackets === null || stamp.epoch !== last.epoch) {
      this.#beginAnew(stamp, receivedTimeSeconds);
      return;
    }
    if (!this.#measurement.isSuspicious) this.#trustedPackets = null;
    else this.#trustedPackets ??= this.#windowPackets;
    if (stamp.phase === PHASE.slowStart) {
      this.#watchSlowStart(stamp, receivedTimeSeconds);
    } else {
      this.#endSlowStart = false;
      this.#updateWindow(stamp, stamp.packetsSent - last.packetsSent);
      this.#drainWhenDue(stamp, receivedTimeSeconds);
    }
  }

  /** Whether requests are open. */
  expectData(isExpecting: boolean): void {
    this.#measurement.isExpectingData = isExpecting;
  }

  /** Forgets what is relative to the clocks; the next stamp gives the window. */
  startEpoch(nowSeconds: number): void {
    this.#measurement.startEpoch(nowSeconds);
    this.#windowPackets = null;
    this.#trustedPackets = null;
  }

  /** How often the measurement began anew. */
  get epochsBegun(): number {
    return this.#measurement.epochsBegun;
  }

  /** The window to ask for; null before the first stamp and where no stamp came since the last feedback. */
  feedback(nowSeconds: number): Feedback | null {
    const stamp = this.#lastStamp;
    if (stamp === null || stamp.sequence === this.#reportedStampSequence) return null;
    this.#reportedStampSequence = stamp.sequence;
    const feedback: Feedback = {
      sequence: this.#feedbackCount,
      epoch: stamp.epoch,
      lastStampSequence: stamp.sequence,
      windowBytes: this.#requestedWindowBytes(stamp, nowSeconds),
      endSlowStart: this.#endSlowStart,
      bandwidthBitsPerSecond: Math.floor(this.#measurement.bandwidthBitsPerSecond(nowSeconds) ?? 0),
      queueingDelaySeconds: this.#measurement.queueingDelay.filteredSeconds,
      k: this.#k,
      targetDelaySeconds: this.#parameters.targetDelaySeconds,
    };
    this.#feedbackCount++;
    return feedback;
  }

  /** The measurements at a time, and the window asked for. */
  state(nowSeconds: number): ReceiverState {
    const stamp = this.#lastStamp;
    return this.#measurement.state(nowSeconds, {
      windowBytes: stamp === null ? null : this.#requestedWindowBytes(stamp, nowSeconds),
      k: this.#k,
      targetDelaySeconds: this.#parameters.targetDelaySeconds,
    });
  }

  /** Starts from the sender's window, or in a new epoch of the clocks from the one that delays lowered wrongly. */
  #beginAnew(stamp: Stamp, receivedTimeSeconds: number): void {
    this.#windowPackets = stamp.cwndBytes / stamp.maxDatagramBytes;
    this.#endSlowStart = false;
    this.#slowStartDelays.length = 0;
    this.#drainUntilSeconds = null;
    if (this.#measurement.epochsBegun > this.#epochsDrained) {
      this.#epochsDrained = this.#measurement.epochsBegun;
      this.#windowPackets = Math.max(this.#windowPackets, this.#trustedPackets ?? 0);
      this.#drainUntilSeconds = this.#drainEndSeconds(stamp, receivedTimeSeconds);
      this.#drainedTimeSeconds = null;
    }
    this.#trustedPackets = null;
  }

  /** Until when a new epoch's queue is drained: the reference must be that of an empty queue. */
  #drainEndSeconds({ phase, minRttSeconds }: Stamp, receivedTimeSeconds: number): number | null {
    if (phase === PHASE.slowStart || minRttSeconds === null) return null;
    return receivedTimeSeconds + 2 * (minRttSeconds + this.#parameters.targetDelaySeconds);
  }

  /** Eq. 5 and 6, once per packet. */
  #updateWindow(stamp: Stamp, packets: number): void {
    let window = this.#windowPackets;
    if (window === null || this.#drainUntilSeconds !== null) return;
    const { targetDelaySeconds, rhoSeconds } = this.#parameters;
    const distanceSeconds = targetDelaySeconds - this.#measurement.queueingDelay.filteredSeconds;
    const theta = Math.tanh(distanceSeconds / rhoSeconds);
    if (theta > 0 && stamp.isAppLimited) return;
    const step = theta * this.#k;
    const updates = Math.min(packets, MAXIMUM_UPDATES_PER_STAMP);
    for (let update = 0; update < updates; update++) {
      window = Math.max(MINIMUM_WINDOW_PACKETS, window + step / window);
    }
    const inForce = stamp.cwndBytes / stamp.maxDatagramBytes;
    this.#windowPackets = Math.max(MINIMUM_WINDOW_PACKETS, Math.min(window, GROWTH_BEYOND_SENDER * inForce));
  }

  /** Ends slow start as soon as a queue stands, at the window that the bottleneck can carry. */
  #watchSlowStart(stamp: Stamp, receivedTimeSeconds: number): void {
    this.#windowPackets = stamp.cwndBytes / stamp.maxDatagramBytes;
    const roundTripSeconds = stamp.minRttSeconds;
    if (roundTripSeconds === null) return;
    const [lowest, highest] = SLOW_START_EXIT_SECONDS;
    const thresholdSeconds = Math.min(
      highest,
      Math.max(lowest, SLOW_START_EXIT_RTT_SHARE * roundTripSeconds),
    );
    const standingSeconds = this.#standingQueueSeconds(
      receivedTimeSeconds,
      EXIT_RTT_SHARE * roundTripSeconds,
    );
    if (standingSeconds === null || standingSeconds < thresholdSeconds) return;
    this.#endSlowStart = true;
    const rate = this.#measurement.bandwidth.rateOver(EXIT_RTT_SHARE * roundTripSeconds);
    if (rate === null) return;
    const fittingBytes = rate * (roundTripSeconds + 0.5 * this.#parameters.targetDelaySeconds);
    const fittingPackets = fittingBytes / stamp.maxDatagramBytes;
    this.#windowPackets = Math.max(MINIMUM_WINDOW_PACKETS, Math.min(this.#windowPackets, fittingPackets));
  }

  /** The least delay of the newest `windowSeconds`; null until stamps cover so much. */
  #standingQueueSeconds(receivedTimeSeconds: number, windowSeconds: number): number | null {
    const delays = this.#slowStartDelays;
    delays.push({ receivedTimeSeconds, delaySeconds: this.#measurement.queueingDelay.rawSeconds });
    let second = delays[1];
    while (second !== undefined && receivedTimeSeconds - second.receivedTimeSeconds >= windowSeconds) {
      delays.shift();
      second = delays[1];
    }
    const oldest = delays[0];
    if (oldest === undefined || receivedTimeSeconds - oldest.receivedTimeSeconds < windowSeconds) return null;
    return Math.min(...delays.map(({ delaySeconds }) => delaySeconds));
  }

  #drainWhenDue(stamp: Stamp, receivedTimeSeconds: number): void {
    if (this.#drainUntilSeconds !== null) {
      if (receivedTimeSeconds >= this.#drainUntilSeconds) {
        this.#drainUntilSeconds = null;
        this.#drainedTimeSeconds = receivedTimeSeconds;
      }
      return;
    }
    const seenEmptySeconds = Math.max(
      this.#measurement.queueingDelay.confirmedTimeSeconds,
      this.#drainedTimeSeconds ?? Number.NEGATIVE_INFINITY,
    );
    if (stamp.smoothedRttSeconds !== null && receivedTimeSeconds - seenEmptySeconds > DRAIN_AFTER_SECONDS) {
      this.#drainUntilSeconds = receivedTimeSeconds + 2 * stamp.smoothedRttSeconds;
    }
  }

  #requestedWindowBytes(stamp: Stamp, nowSeconds: number): number {
    let window = this.#windowPackets;
    if (window === null) return stamp.cwndBytes;
    if (this.#drainUntilSeconds !== null && stamp.minRttSeconds !== null) {
      const rate = this.#measurement.bandwidth.at(nowSeconds, true);
      if (rate !== null) {
        window = Math.min(window, (DRAIN_SHARE * rate * stamp.minRttSeconds) / stamp.maxDatagramBytes);
      }
    }
    return Math.floor(Math.max(MINIMUM_WINDOW_PACKETS, window) * stamp.maxDatagramBytes);
  }
}
