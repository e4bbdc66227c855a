/**
 * Kuafu: the receiver forecasts what the link will carry, and asks for that and a reserve that keeps it from idling. The
 * twin of kuafu.py, where it is explained; both are held to the same vectors.
 */

import { Contest, LONGEST_QUEUE_SECONDS } from "./contest.ts";
import type { NuwaParameters } from "./nuwa.ts";
import { PHASE, type Stamp } from "./receiver-scheme.ts";
import { SlowStartExit } from "./slow-start-exit.ts";
import { WindowReceiver, withinReachPackets } from "./window-receiver.ts";
import { countedSince } from "./wrapping-count.ts";

const FIRST_RESERVE_SECONDS = 0.015;
const LONGEST_STEP_SECONDS = 0.2;
const GROWTH_BOUND = 2;
const LEAST_RTT_SHARE = 1 / 4;
const EMPTY_PACKETS = 1.5;
const FAIR_PACKETS = 64;
const LEAST_INTERVAL_SECONDS = 1e-4;
const MOST_EXPONENT = 20;
const TOLERANCE_SECONDS = 0.005;
const SHARE_STEPS = 8;
const PAUSE_SECONDS = 0.2;
const PAUSE_FACTOR = 6;
const IDLE_FACTOR = 2;

// KuafuConstants of kuafu.py
const RATE_WINDOW_SECONDS = 0.045;
const MEMORY_SECONDS = 0.36;
const RISE_SECONDS = 0.03;
const FALL_SECONDS = 0.045;
const EMPTY_SHARE = 0.02;
const USUAL_TARGET_SECONDS = 0.06;
const EMPTY_SHARE_RANGE = [0.25, 2] as const;
const EMPTINESS_SCALE_SECONDS = 0.004;
const RESERVE_GROWTH = 0.3;
const LEAST_RESERVE_SECONDS = -0.015;
const GROWTH_EXPONENT = 1.1;
const EXCESS_SHARE = 0.1;
const EXTRA_PACKETS = 2.5;
const FAIRNESS_SECONDS = 0.018;
const FAIRNESS_EXPONENT = 0.5;
const RESERVE_SCALE_SECONDS = 0.02;
const UNSHARED_SECONDS = 0.004;
const EMPTY_BELOW_SECONDS = 0.0018;

/** The receiver's half; the sender's half is cc/sender/receiver_driven.py. */
export class Kuafu extends WindowReceiver {
  readonly #longestReserveSeconds: number;
  readonly #emptyShare: number;
  #reserveSeconds: number;
  #forecastBytesPerSecond: number | null = null;
  #senderEpoch: number | null = null;
  #epochsDrained = 0;
  #movedSeconds: number | null = null;
  /** When the newest stamps came, and what had been sent before them. */
  readonly #arrivals: { seconds: number; bytes: number }[] = [];
  /** Whether the link paused before the newest. */
  #isPause = false;
  /** In all, so far. */
  #pausedSeconds = 0;
  /** Times, less the pauses, and rates of which none is followed by a larger one. */
  readonly #largest: { seconds: number; rate: number }[] = [];
  readonly #slowStartExit = new SlowStartExit(this.measurement.bandwidth);
  #contest: Contest;

  /** Throws RangeError for a target delay that is not positive. */
  constructor({ targetDelaySeconds, followsNeed }: NuwaParameters) {
    if (!(Number.isFinite(targetDelaySeconds) && targetDelaySeconds > 0)) {
      throw new RangeError(
        `targetDelaySeconds must be a positive number of seconds, not ${targetDelaySeconds}`,
      );
    }
    super({ followsNeed });
    this.#longestReserveSeconds = targetDelaySeconds;
    this.#emptyShare = emptyShare(targetDelaySeconds);
    this.#contest = new Contest(targetDelaySeconds);
    this.#reserveSeconds = Math.min(FIRST_RESERVE_SECONDS, targetDelaySeconds);
  }

  /** The queue that it means to hold: what a contest grows to, or the reserve and the packets beside it. */
  override get targetDelaySeconds(): number {
    if (this.#contest.isOn) return this.#contest.longestQueueSeconds;
    const reserve = Math.max(0, this.#reserveSeconds);
    const forecast = this.#forecastBytesPerSecond;
    if (this.lastStamp === null || forecast === null) return reserve;
    const besideSeconds = (EXTRA_PACKETS * this.lastStamp.maxDatagramBytes) / forecast;
    return reserve + Math.min(besideSeconds, LONGEST_QUEUE_SECONDS);
  }

  /** Starts from the sender's window; the forecast is of the path, and stays. */
  protected beginAnew(stamp: Stamp): void {
    if (this.#senderEpoch !== null && stamp.epoch !== this.#senderEpoch) {
      this.#reserveSeconds -= Math.max(0, this.#reserveSeconds) / 2;
    }
    this.#senderEpoch = stamp.epoch;
    this.windowPackets = stamp.cwndBytes / stamp.maxDatagramBytes;
    this.endSlowStart = false;
    if (this.measurement.epochsBegun > this.#epochsDrained) {
      this.#epochsDrained = this.measurement.epochsBegun;
      if (stamp.phase === PHASE.slowStart) this.#contest = new Contest(this.#longestReserveSeconds);
      else this.#contest.drainAnew();
    }
    this.#contest.beginAnew(stamp);
    this.#movedSeconds = null;
    this.#arrivals.length = 0;
    this.#largest.length = 0;
    this.#slowStartExit.beginAnew();
  }

  protected moveWindow(stamp: Stamp, last: Stamp, receivedTimeSeconds: number): void {
    this.#followLink(stamp, last, receivedTimeSeconds);
    if (this.need !== null)
      this.hold(this.need, stamp, this.#contest.longestQueueSeconds, receivedTimeSeconds);
  }

  #followLink(stamp: Stamp, last: Stamp, receivedTimeSeconds: number): void {
    this.#noteArrival(stamp, receivedTimeSeconds);
    if (stamp.phase === PHASE.slowStart) {
      this.#watchSlowStart(stamp, receivedTimeSeconds);
      this.#forecastBytesPerSecond = null;
      return;
    }
    this.endSlowStart = false;
    const rate = this.#bytesPerSecondOver(RATE_WINDOW_SECONDS);
    const roundTripSeconds = stamp.minRttSeconds;
    if (rate === null || roundTripSeconds === null) return;
    const elapsedSeconds =
      this.#movedSeconds === null
        ? 0
        : Math.min(receivedTimeSeconds - this.#movedSeconds, LONGEST_STEP_SECONDS);
    this.#movedSeconds = receivedTimeSeconds;
    this.#forecastBytesPerSecond ??= rate;
    const delay = this.measurement.queueingDelay;
    const queueSeconds = delay.likelySeconds;
    this.#contest.onStamp(stamp, {
      nowSeconds: receivedTimeSeconds,
      queueSeconds,
      emptySeenSeconds: delay.confirmedTimeSeconds,
      rateBytesPerSecond: this.#forecastBytesPerSecond,
      ownPackets: this.windowPackets ?? FAIR_PACKETS,
      newPackets: countedSince(stamp.packetsSent, last.packetsSent),
    });
    if (this.#contest.isDraining) return;
    const largest = this.#largestBytesPerSecond(rate, receivedTimeSeconds - this.#pausedSeconds);
    const leastSeconds = (EMPTY_PACKETS * stamp.maxDatagramBytes) / this.#forecastBytesPerSecond;
    if (!stamp.isAppLimited && !this.measurement.isHeld) {
      this.#growReserve(queueSeconds, elapsedSeconds, leastSeconds);
    }
    this.#reserveSeconds = Math.min(this.#reserveSeconds, this.#mostReserveSeconds(receivedTimeSeconds));
    if (queueSeconds < Math.max(EMPTY_BELOW_SECONDS, leastSeconds)) {
      this.#withEmptyQueue(stamp, largest, elapsedSeconds, roundTripSeconds);
      this.#setWindow(stamp, roundTripSeconds, 0, !stamp.isAppLimited);
    } else {
      this.#withQueue(largest, elapsedSeconds);
      const excessSeconds = Math.max(0, queueSeconds - this.#reserveSeconds - TOLERANCE_SECONDS);
      this.#setWindow(stamp, roundTripSeconds, excessSeconds, true);
    }
  }

  /** The faster, the nearer the queue is to empty. */
  #growReserve(queueSeconds: number, elapsedSeconds: number, leastSeconds: number): void {
    const emptiness = Math.exp(-queueSeconds / Math.max(EMPTINESS_SCALE_SECONDS, leastSeconds));
    this.#reserveSeconds += RESERVE_GROWTH * emptiness * elapsedSeconds;
  }

  /** The target delay, or what the need leaves of it. */
  #mostReserveSeconds(nowSeconds: number): number {
    const share = this.need?.targetShare(this.measurement.bandwidth.bytesPerSecond, nowSeconds) ?? 1;
    return share * this.#longestReserveSeconds;
  }

  #withEmptyQueue(stamp: Stamp, largest: number, elapsedSeconds: number, roundTripSeconds: number): void {
    const before = this.#forecastBytesPerSecond ?? largest;
    let forecast = before;
    if (largest > forecast) forecast += share(elapsedSeconds, RISE_SECONDS) * (largest - forecast);
    if (!stamp.isAppLimited) {
      const exponent =
        (GROWTH_EXPONENT * elapsedSeconds) / Math.max(roundTripSeconds, LEAST_INTERVAL_SECONDS);
      const grown = forecast * Math.exp(Math.min(exponent, MOST_EXPONENT));
      forecast = Math.min(grown, Math.max(GROWTH_BOUND * largest, before));
    }
    this.#forecastBytesPerSecond = forecast;
  }

  #withQueue(largest: number, elapsedSeconds: number): void {
    const forecast = this.#forecastBytesPerSecond ?? largest;
    const followSeconds = largest > forecast ? RISE_SECONDS : FALL_SECONDS;
    this.#forecastBytesPerSecond = forecast + share(elapsedSeconds, followSeconds) * (largest - forecast);
    const fall = (RESERVE_GROWTH * this.#emptyShare) / (1 - this.#emptyShare);
    const above = (this.#reserveSeconds - LEAST_RESERVE_SECONDS) / RESERVE_SCALE_SECONDS;
    const size = ((this.windowPackets ?? FAIR_PACKETS) / FAIR_PACKETS) ** FAIRNESS_EXPONENT;
    this.#reserveSeconds -= fall * size * above * elapsedSeconds;
  }

  #setWindow(stamp: Stamp, roundTripSeconds: number, excessSeconds: number, mayFall: boolean): void {
    const forecast = (this.#forecastBytesPerSecond ?? 0) / stamp.maxDatagramBytes;
    const pathSeconds = roundTripSeconds - EXCESS_SHARE * excessSeconds;
    let window = this.#sharedPackets(forecast, pathSeconds, LEAST_RTT_SHARE * roundTripSeconds);
    if (!mayFall) window = Math.max(window, this.windowPackets ?? 0);
    this.windowPackets = withinReachPackets(window, stamp);
  }

  /** The window of path and reserve, less the share that goes by this very window. */
  #sharedPackets(packetsPerSecond: number, pathSeconds: number, leastSeconds: number): number {
    const reserve = this.#reserveSeconds;
    const least = Math.max(pathSeconds + Math.min(reserve, UNSHARED_SECONDS), leastSeconds);
    let window = packetsPerSecond * least + EXTRA_PACKETS;
    for (let step = 0; step < SHARE_STEPS; step++) {
      const wantedSeconds = pathSeconds + reserve - FAIRNESS_SECONDS * Math.log(window / FAIR_PACKETS);
      const lacking = packetsPerSecond * wantedSeconds + EXTRA_PACKETS - window;
      if (lacking <= 0) break;
      window += lacking / (1 + (packetsPerSecond * FAIRNESS_SECONDS) / window);
    }
    return window;
  }

  /** What drains and contests make of the window, within what the player needs. */
  protected override requestedWindowPackets(stamp: Stamp, windowPackets: number, nowSeconds: number): number {
    const asked = this.#contest.askedPackets(windowPackets);
    const bound = this.need?.boundPackets(stamp, this.#contest.longestQueueSeconds, nowSeconds) ?? null;
    return bound === null ? asked : Math.min(asked, bound);
  }

  /** The memory stands still while the link pauses, or the application; a pause after a pause is a slow link. */
  #noteArrival(stamp: Stamp, receivedTimeSeconds: number): void {
    const arrivals = this.#arrivals;
    const forecast = this.#forecastBytesPerSecond;
    const last = arrivals.at(-1);
    const wasPause = this.#isPause;
    this.#isPause = false;
    if (last !== undefined && forecast !== null) {
      const gapSeconds = receivedTimeSeconds - last.seconds;
      const expectedSeconds = (stamp.bytesSent - last.bytes) / forecast;
      const wasIdle =
        stamp.isAppLimited && gapSeconds > Math.max(RATE_WINDOW_SECONDS, IDLE_FACTOR * expectedSeconds);
      if (wasIdle) {
        arrivals.length = 0;
        this.#movedSeconds = null;
      } else if (!stamp.isAppLimited) {
        this.#isPause = !wasPause && gapSeconds > Math.max(PAUSE_SECONDS, PAUSE_FACTOR * expectedSeconds);
      }
      if (wasIdle || this.#isPause) this.#pausedSeconds += gapSeconds - expectedSeconds;
    }
    arrivals.push({ seconds: receivedTimeSeconds, bytes: stamp.bytesSent });
    while (arrivals.length > 2 && receivedTimeSeconds - (arrivals[1]?.seconds ?? 0) >= RATE_WINDOW_SECONDS) {
      arrivals.shift();
    }
  }

  /** Bytes per second of the newest stamps that span so long, or of all there are; null of fewer than two. */
  #bytesPerSecondOver(windowSeconds: number): number | null {
    const newest = this.#arrivals.at(-1);
    if (newest === undefined || this.#arrivals.length < 2) return null;
    let start = newest;
    for (let at = this.#arrivals.length - 1; at >= 0; at--) {
      start = this.#arrivals[at] ?? start;
      if (newest.seconds - start.seconds >= windowSeconds) break;
    }
    const intervalSeconds = newest.seconds - start.seconds;
    if (intervalSeconds <= LEAST_INTERVAL_SECONDS || newest.bytes <= start.bytes) return null;
    return (newest.bytes - start.bytes) / intervalSeconds;
  }

  /** The largest of the rates that are remembered, the newest among them. */
  #largestBytesPerSecond(rate: number, measuredSeconds: number): number {
    const largest = this.#largest;
    while ((largest.at(-1)?.rate ?? Number.POSITIVE_INFINITY) <= rate) largest.pop();
    largest.push({ seconds: measuredSeconds, rate });
    while ((largest[0]?.seconds ?? 0) < measuredSeconds - MEMORY_SECONDS) largest.shift();
    return largest[0]?.rate ?? rate;
  }

  /** Ends slow start as soon as a queue stands, at the window that the link carries with the first reserve. */
  #watchSlowStart(stamp: Stamp, receivedTimeSeconds: number): void {
    this.windowPackets = stamp.cwndBytes / stamp.maxDatagramBytes;
    const windowPackets = this.#slowStartExit.windowPackets(
      stamp,
      receivedTimeSeconds,
      this.measurement.queueingDelay.likelySeconds,
      FIRST_RESERVE_SECONDS,
    );
    if (windowPackets === null) return;
    this.endSlowStart = true;
    this.windowPackets = windowPackets;
  }
}

/** What the target delay makes of the share of time with an empty queue: by its square, within a range. */
function emptyShare(targetDelaySeconds: number): number {
  const [least, most] = EMPTY_SHARE_RANGE;
  return EMPTY_SHARE * Math.max(least, Math.min((USUAL_TARGET_SECONDS / targetDelaySeconds) ** 2, most));
}

/** Of the distance to what is followed, in so long. */
function share(elapsedSeconds: number, timeConstantSeconds: number): number {
  return 1 - Math.exp(-elapsedSeconds / timeConstantSeconds);
}
