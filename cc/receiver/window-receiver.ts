/**
 * What all receivers that ask for windows have in common: the order of stamps, epochs, and feedback. The twin of
 * window_receiver.py.
 */

import { Measurement } from "./measurement.ts";
import { NeedWatch, requireNeed } from "./need.ts";
import {
  type Feedback,
  MINIMUM_WINDOW_PACKETS,
  type Need,
  PHASE,
  type ReceiverScheme,
  type ReceiverState,
  type Stamp,
} from "./receiver-scheme.ts";
import { COUNT_MODULUS, isLater } from "./wrapping-count.ts";

const GROWTH_BEYOND_SENDER = 2;
const GROWTH_RTT_SECONDS = 0.2;

/** The receiver's half of a scheme; the sender's half is cc/sender/receiver_driven.py. */
export abstract class WindowReceiver implements ReceiverScheme {
  protected readonly measurement = new Measurement();
  /** Null where the scheme's parameters follow no need. */
  protected readonly need: NeedWatch | null;
  /** The window with its fractions; null before the first stamp. */
  windowPackets: number | null = null;
  /** Its aggressiveness; null where it has no such thing. */
  protected k: number | null = null;
  protected endSlowStart = false;
  protected lastStamp: Stamp | null = null;
  #reportedStampSequence: number | null = null;
  #feedbackCount = 0;

  constructor({ followsNeed = false }: { readonly followsNeed?: boolean } = {}) {
    this.need = followsNeed ? new NeedWatch() : null;
  }

  /** The first stamp of all, of a sender's epoch or of the clocks': starts from the window that it tells. */
  protected abstract beginAnew(stamp: Stamp, receivedTimeSeconds: number): void;

  /** A stamp that goes on from `last`. */
  protected abstract moveWindow(stamp: Stamp, last: Stamp, receivedTimeSeconds: number): void;

  /** What to ask for at a time, where that is not the window itself. */
  protected requestedWindowPackets(_stamp: Stamp, windowPackets: number, _nowSeconds: number): number {
    return windowPackets;
  }

  /** The queueing delay that the window aims at; null where it aims at none. */
  get targetDelaySeconds(): number | null {
    return null;
  }

  /** Measures, then moves the window; a stamp older than the newest seen is ignored. */
  onStamp(stamp: Stamp, receivedTimeSeconds: number, lateSeconds = 0): void {
    const last = this.lastStamp;
    if (last !== null && !isLater(stamp.sequence, last.sequence)) return;
    const beginsEpoch = this.measurement.onStamp(stamp, receivedTimeSeconds, lateSeconds);
    this.lastStamp = this.measurement.withPath(stamp);
    if (beginsEpoch || last === null || this.windowPackets === null || stamp.epoch !== last.epoch) {
      this.beginAnew(this.lastStamp, receivedTimeSeconds);
    } else {
      this.moveWindow(this.lastStamp, last, receivedTimeSeconds);
    }
  }

  /** Whether requests are open. */
  expectData(isExpecting: boolean): void {
    this.measurement.expectData(isExpecting);
  }

  /**
   * Bounds the window from the next stamp on, where the scheme's parameters say so; else ignored. Throws RangeError for
   * one that makes no sense.
   */
  onNeed(need: Need, nowSeconds: number): void {
    requireNeed(need);
    this.need?.tell(need, nowSeconds);
  }

  /** Forgets what is relative to the clocks; the next stamp gives the window. */
  startEpoch(nowSeconds: number): void {
    this.measurement.startEpoch(nowSeconds);
    this.windowPackets = null;
  }

  /** How often the measurement began anew. */
  get epochsBegun(): number {
    return this.measurement.epochsBegun;
  }

  /** The window to ask for; null before the first stamp and where no stamp came since the last feedback. */
  feedback(nowSeconds: number): Feedback | null {
    const stamp = this.lastStamp;
    if (stamp === null || stamp.sequence === this.#reportedStampSequence) return null;
    this.#reportedStampSequence = stamp.sequence;
    const feedback: Feedback = {
      sequence: this.#feedbackCount,
      epoch: stamp.epoch,
      lastStampSequence: stamp.sequence,
      windowBytes: this.#requestedWindowBytes(stamp, nowSeconds),
      endSlowStart: this.endSlowStart,
      bandwidthBitsPerSecond: Math.floor(this.measurement.bandwidthBitsPerSecond(nowSeconds) ?? 0),
      queueingDelaySeconds: this.measurement.queueingDelay.filteredSeconds,
      k: this.k,
      targetDelaySeconds: this.targetDelaySeconds,
    };
    this.#feedbackCount = (this.#feedbackCount + 1) % COUNT_MODULUS;
    return feedback;
  }

  /** The measurements at a time, the window asked for, and what the need makes of them. */
  state(nowSeconds: number): ReceiverState {
    const stamp = this.lastStamp;
    const windowBytes = stamp === null ? null : this.#requestedWindowBytes(stamp, nowSeconds);
    const { k, targetDelaySeconds } = this;
    const state = this.measurement.state(nowSeconds, { windowBytes, k, targetDelaySeconds });
    if (this.need === null) return state;
    const bound = this.need.boundBytesPerSecond(nowSeconds);
    const wantedBitsPerSecond = bound === null ? null : 8 * bound;
    return { ...state, wantedBitsPerSecond, isHeld: this.need.isHeld(nowSeconds) };
  }

  /** Keeps the window within what the player needs; a sender in slow start has to be told to end that. */
  protected hold(need: NeedWatch, stamp: Stamp, mostQueueSeconds: number, receivedTimeSeconds: number): void {
    const bound = need.boundPackets(stamp, mostQueueSeconds, receivedTimeSeconds);
    if (this.windowPackets !== null && bound !== null) {
      const asked = this.requestedWindowPackets(stamp, this.windowPackets, receivedTimeSeconds);
      if (Math.max(this.windowPackets, asked) >= bound) {
        this.windowPackets = Math.min(this.windowPackets, bound);
        this.endSlowStart = stamp.phase === PHASE.slowStart;
        need.hold(stamp, receivedTimeSeconds);
      }
    }
    this.measurement.isHeld = need.isHeld(receivedTimeSeconds);
  }

  #requestedWindowBytes(stamp: Stamp, nowSeconds: number): number {
    if (this.windowPackets === null) return stamp.cwndBytes;
    const window = this.requestedWindowPackets(stamp, this.windowPackets, nowSeconds);
    return Math.floor(Math.max(MINIMUM_WINDOW_PACKETS, window) * stamp.maxDatagramBytes);
  }
}

/** A window of at least two packets, and of at most twice the one in force: the guard would not grant more. */
export function withinReachPackets(windowPackets: number, stamp: Stamp): number {
  return Math.max(MINIMUM_WINDOW_PACKETS, Math.min(windowPackets, reachPackets(stamp)));
}

/** What growth in a round trip is multiplied by: above 0.2 s it goes by the clock. */
export function clockFactor(stamp: Stamp): number {
  return Math.max(1, (stamp.smoothedRttSeconds ?? 0) / GROWTH_RTT_SECONDS);
}

/** Whether `withinReachPackets` would leave this window as it is, but for the two packets. */
export function isWithinReach(windowPackets: number, stamp: Stamp): boolean {
  return windowPackets <= reachPackets(stamp);
}

function reachPackets(stamp: Stamp): number {
  return GROWTH_BEYOND_SENDER * (stamp.cwndBytes / stamp.maxDatagramBytes);
}
