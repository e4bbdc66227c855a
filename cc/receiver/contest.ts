/**
 * Whether others fill the queue, by what is left when this flow drains its part; a window that then holds a share. The
 * twin of contest.py, where it is explained; both are held to the same vectors.
 */

import { MINIMUM_WINDOW_PACKETS, type Stamp } from "./receiver-scheme.ts";
import { clockFactor, withinReachPackets } from "./window-receiver.ts";

const FIRST_DRAIN_SECONDS = 1.5;
const UNSEEN_SECONDS = 10;
const STANDING_SECONDS = 3;
const STANDING_QUEUE_SECONDS = 0.02;
const STANDING_PACKETS = 6;
const RATE_MEMORY_SECONDS = 60;
export const LONGEST_QUEUE_SECONDS = 1;
const DRAIN_SHARE = 0.25;
const REFILL_RTTS = 2;
const TELLING_SHARE = 0.5;
const GONE_SECONDS = 0.01;
const ARRIVED_SHARE = 0.75;
const PATIENCE_SECONDS = 1;
const LEFT_SHARE = 0.5;
const LEFT_IN_CONTEST_SHARE = 0.25;
const VERDICTS = 2;
const SOON_SHARE = 0.25;
const LOSS_REDUCTION_FACTOR = 0.7;
const AGAIN_SECONDS = 0.5;
const CONTEST_DRAIN_SECONDS = 20;
const GROWTH_PACKETS = 1.6;

/** What the receiver sees with a stamp. */
export interface Sight {
  readonly nowSeconds: number;
  readonly queueSeconds: number;
  /** When the queue was last empty. */
  readonly emptySeenSeconds: number;
  readonly rateBytesPerSecond: number;
  /** The window that the scheme has of itself. */
  readonly ownPackets: number;
  /** Since the last stamp. */
  readonly newPackets: number;
}

/** Drains, judges, and holds the window of a contest. */
export class Contest {
  readonly #ownQueueSeconds: number;
  /** What is asked for in a contest; null outside. */
  #windowPackets: number | null = null;
  #heldPackets = 0;
  #drainPackets = 0;
  /** When the drain began: what had been sent, and what was on its way, at the most. */
  #sentBytes = 0;
  #inFlightBytes = 0;
  /** By how much the queue has seemed too short since the last verdict, at the least. */
  #hiddenSeconds = Number.POSITIVE_INFINITY;
  #drainUntilSeconds: number | null = null;
  #refillUntilSeconds: number | null = null;
  /** When the last drain began; before the first one, when the flow was first seen. */
  #drainedSeconds: number | null = null;
  #hasDrained = false;
  /** Whether the queue that is drained stood, and the drain takes enough from it for its end to say something. */
  #isTelling = false;
  /** Whether a clock's step has made it that of the queue that stands: the next drain proves nothing. */
  #isReferenceNew = false;
  /** With what the reference of a queue that stood leaves out. */
  #totalSeconds = 0;
  #beforeSeconds = 0;
  #leastSeconds = 0;
  /** The longest queue since the last verdict. */
  #highestSeconds = 0;
  /** The longest queue before the last verdict. */
  #contestedSeconds = 0;
  /** Up to which the window doubles in a round trip. */
  #soonPackets = 0;
  #standingSinceSeconds: number | null = null;
  #standingFromSeconds = STANDING_QUEUE_SECONDS;
  /** The window when the queue began to stand. */
  #standingPackets = 0;
  #largestBytesPerSecond = 0;
  #seenSeconds = 0;
  #contraryVerdicts = 0;

  /** Takes what the application lets the flow keep in the queue by itself. */
  constructor(ownQueueSeconds: number) {
    this.#ownQueueSeconds = ownQueueSeconds;
  }

  /** Whether others fill the queue, and a share of it is held. */
  get isOn(): boolean {
    return this.#windowPackets !== null;
  }

  /** Up to which this flow asks for more: the application's target delay, or what a contest goes to. */
  get longestQueueSeconds(): number {
    return this.isOn ? Math.max(this.#contestedSeconds, this.#ownQueueSeconds) : this.#ownQueueSeconds;
  }

  /** Whether the queue is being drained or filled again: what is measured then says nothing of the link. */
  get isDraining(): boolean {
    return this.#drainUntilSeconds !== null || this.#refillUntilSeconds !== null;
  }

  /** Goes on from the sender's window: a loss has cut it, and shows in a contest how long others make the queue. */
  beginAnew(stamp: Stamp): void {
    if (this.#windowPackets !== null) {
      const heldPackets = this.isDraining ? LOSS_REDUCTION_FACTOR * this.#heldPackets : 0;
      this.#windowPackets = Math.max(stamp.cwndBytes / stamp.maxDatagramBytes, heldPackets);
      const highestSeconds = Math.min(this.#highestSeconds, LONGEST_QUEUE_SECONDS);
      this.#contestedSeconds = Math.max(this.#contestedSeconds, highestSeconds);
      this.#soonPackets = SOON_SHARE * this.#fullPackets(stamp, this.#contestedSeconds);
    }
    this.#drainUntilSeconds = null;
    this.#refillUntilSeconds = null;
    this.#standingSinceSeconds = null;
  }

  /** With the next stamp: what is known of the queue is of another clock. */
  drainAnew(): void {
    this.#drainedSeconds = Number.NEGATIVE_INFINITY;
    this.#hasDrained = false;
    this.#isReferenceNew = true;
    this.#hiddenSeconds = Number.POSITIVE_INFINITY;
    this.#highestSeconds = 0;
  }

  /** What to ask for, where the scheme would ask for its own window. */
  askedPackets(ownPackets: number): number {
    if (this.#drainUntilSeconds !== null) return Math.min(this.#drainPackets, ownPackets);
    if (this.#refillUntilSeconds !== null) return this.#heldPackets;
    return this.#windowPackets === null ? ownPackets : Math.max(ownPackets, this.#windowPackets);
  }

  /** Drains when due, judges what was drained, grows in a contest. */
  onStamp(stamp: Stamp, sight: Sight): void {
    this.#drainedSeconds = Math.min(this.#drainedSeconds ?? sight.nowSeconds, sight.nowSeconds);
    this.#watchStanding(stamp, sight);
    if (this.isDraining) {
      this.#goOnDraining(stamp, sight);
      return;
    }
    if (stamp.isAppLimited || stamp.minRttSeconds === null) return;
    const roundTripSeconds = stamp.smoothedRttSeconds ?? 0;
    const beyondSeconds = Math.max(0, roundTripSeconds - stamp.minRttSeconds - sight.queueSeconds);
    this.#hiddenSeconds = Math.min(this.#hiddenSeconds, beyondSeconds);
    if (this.#windowPackets !== null) {
      const fairPackets = SOON_SHARE * this.#fullPackets(stamp, sight.queueSeconds);
      if (sight.queueSeconds < this.longestQueueSeconds || this.#windowPackets < fairPackets) {
        this.#windowPackets = this.#grownPackets(stamp, sight.newPackets, this.#windowPackets);
      }
    }
    const isShort = Math.max(sight.queueSeconds, roundTripSeconds) <= LONGEST_QUEUE_SECONDS;
    if ((this.isOn || isShort) && this.#isDue(sight)) this.#drain(stamp, sight, stamp.minRttSeconds);
  }

  /** What the path and so long a queue hold, at the largest rate that was seen; a second of queue at most. */
  #fullPackets(stamp: Stamp, queueSeconds: number): number {
    const fullSeconds = (stamp.minRttSeconds ?? 0) + Math.min(queueSeconds, LONGEST_QUEUE_SECONDS);
    return (this.#largestBytesPerSecond * fullSeconds) / stamp.maxDatagramBytes;
  }

  /** By the clock, or doubled in a round trip. */
  #grownPackets(stamp: Stamp, newPackets: number, windowPackets: number): number {
    const byClock = GROWTH_PACKETS * clockFactor(stamp);
    const step = windowPackets < this.#soonPackets ? windowPackets : byClock;
    return withinReachPackets(windowPackets + (newPackets * step) / windowPackets, stamp);
  }

  #watchStanding(stamp: Stamp, sight: Sight): void {
    const sinceSeconds = Math.max(0, sight.nowSeconds - this.#seenSeconds);
    const faded = this.#largestBytesPerSecond * Math.exp(-sinceSeconds / RATE_MEMORY_SECONDS);
    this.#largestBytesPerSecond = Math.max(sight.rateBytesPerSecond, faded);
    this.#seenSeconds = sight.nowSeconds;
    if (this.#standingSinceSeconds === null) {
      const ownBytes = STANDING_PACKETS * stamp.maxDatagramBytes;
      const ownSeconds = this.#largestBytesPerSecond > 0 ? ownBytes / this.#largestBytesPerSecond : 0;
      this.#standingFromSeconds = STANDING_QUEUE_SECONDS + ownSeconds;
    }
    if (sight.queueSeconds < this.#standingFromSeconds || stamp.isAppLimited) {
      this.#standingSinceSeconds = null;
    } else if (this.#standingSinceSeconds === null) {
      this.#standingSinceSeconds = sight.nowSeconds;
      this.#standingPackets = sight.ownPackets;
    }
    this.#highestSeconds = Math.max(this.#highestSeconds, sight.queueSeconds);
  }

  #isDue(sight: Sight): boolean {
    const sinceSeconds = sight.nowSeconds - (this.#drainedSeconds ?? 0);
    if (this.#contraryVerdicts > 0) return sinceSeconds >= AGAIN_SECONDS;
    if (this.#windowPackets !== null) return sinceSeconds >= CONTEST_DRAIN_SECONDS;
    if (!this.#hasDrained) return sinceSeconds >= FIRST_DRAIN_SECONDS;
    const standingSeconds =
      this.#standingSinceSeconds === null ? 0 : sight.nowSeconds - this.#standingSinceSeconds;
    if (Math.min(sinceSeconds, standingSeconds) >= STANDING_SECONDS) return true;
    const unseenSeconds = sight.nowSeconds - sight.emptySeenSeconds;
    return Math.min(sinceSeconds, unseenSeconds) >= UNSEEN_SECONDS;
  }

  #drain(stamp: Stamp, sight: Sight, roundTripSeconds: number): void {
    this.#beforeSeconds = sight.queueSeconds;
    this.#leastSeconds = sight.queueSeconds;
    const smoothedSeconds = stamp.smoothedRttSeconds ?? 0;
    const beyondSeconds = Math.max(0, smoothedSeconds - roundTripSeconds - sight.queueSeconds);
    this.#totalSeconds =
      sight.queueSeconds + (this.isOn ? beyondSeconds : Math.min(beyondSeconds, this.#hiddenSeconds));
    this.#heldPackets = this.askedPackets(sight.ownPackets);
    const pathPackets = (sight.rateBytesPerSecond * roundTripSeconds) / stamp.maxDatagramBytes;
    this.#drainPackets = Math.max(MINIMUM_WINDOW_PACKETS, DRAIN_SHARE * pathPackets);
    const stands = this.isOn || sight.queueSeconds >= this.#standingFromSeconds;
    const tells = stands && !this.#isReferenceNew;
    this.#isReferenceNew = false;
    this.#isTelling = tells && this.#drainPackets <= TELLING_SHARE * this.#heldPackets;
    const standsSeconds = this.#hasDrained ? sight.queueSeconds : this.#totalSeconds;
    this.#drainUntilSeconds = sight.nowSeconds + roundTripSeconds + standsSeconds;
    this.#sentBytes = stamp.bytesSent;
    this.#inFlightBytes = Math.min(this.#heldPackets * stamp.maxDatagramBytes, stamp.cwndBytes);
    this.#drainedSeconds = sight.nowSeconds;
    this.#hasDrained = true;
  }

  #goOnDraining(stamp: Stamp, sight: Sight): void {
    this.#leastSeconds = Math.min(this.#leastSeconds, sight.queueSeconds);
    if (this.#drainUntilSeconds !== null) {
      if (!this.#isOver(stamp, sight, this.#drainUntilSeconds)) return;
      this.#drainUntilSeconds = null;
      this.#refillUntilSeconds =
        sight.nowSeconds + REFILL_RTTS * (stamp.minRttSeconds ?? 0) + sight.queueSeconds;
    } else if (this.#refillUntilSeconds !== null && sight.nowSeconds >= this.#refillUntilSeconds) {
      this.#refillUntilSeconds = null;
      if (this.#isTelling) this.#judge();
      else this.#contraryVerdicts = 0; // the queue that one drain had left stands no more
      if (this.#contraryVerdicts === 0) this.#hiddenSeconds = Number.POSITIVE_INFINITY;
    }
  }

  /** Whether the drain is. It begins no contest before what was in flight has arrived: the link itself may pause. */
  #isOver(stamp: Stamp, sight: Sight, untilSeconds: number): boolean {
    if (this.#isTelling && this.#leastSeconds < GONE_SECONDS) return true;
    if (sight.nowSeconds < untilSeconds) return false;
    const hasArrived = this.isOn || stamp.bytesSent - this.#sentBytes >= ARRIVED_SHARE * this.#inFlightBytes;
    if (this.#isTelling && !hasArrived) {
      if (sight.nowSeconds < untilSeconds + PATIENCE_SECONDS) return false;
      this.#isTelling = false;
    }
    return true;
  }

  #judge(): void {
    const leftSeconds = this.#totalSeconds - (this.#beforeSeconds - this.#leastSeconds);
    const share = this.isOn ? LEFT_IN_CONTEST_SHARE : LEFT_SHARE;
    const isOthers = leftSeconds > Math.max(GONE_SECONDS, share * this.#totalSeconds);
    if (isOthers === this.isOn) {
      this.#contraryVerdicts = 0;
      this.#contestUpToHighest();
      return;
    }
    this.#contraryVerdicts += 1;
    if (this.#contraryVerdicts < VERDICTS) return;
    this.#contraryVerdicts = 0;
    this.#contestUpToHighest();
    this.#soonPackets = 0;
    this.#windowPackets = this.isOn ? null : Math.max(this.#heldPackets, this.#standingPackets);
  }

  #contestUpToHighest(): void {
    this.#contestedSeconds = Math.min(this.#highestSeconds, LONGEST_QUEUE_SECONDS);
    this.#highestSeconds = 0;
  }
}
