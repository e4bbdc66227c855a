/**
 * Nuwa: the receiver measures its queueing delay and works out the sender's window. The twin of
 * nuwa.py, where the deviations from the paper are explained; both are held to the same vectors.
 */

import { CatchUp } from "./catch-up.ts";
import { HeldWindow } from "./held-window.ts";
import { MINIMUM_WINDOW_PACKETS, PHASE, type Stamp } from "./receiver-scheme.ts";
import { SlowStartExit } from "./slow-start-exit.ts";
import { clockFactor, isWithinReach, WindowReceiver, withinReachPackets } from "./window-receiver.ts";
import { countedSince } from "./wrapping-count.ts";

export const K_RANGE = [1, 9] as const;
const MAXIMUM_UPDATES_PER_STAMP = 4096;
const TARGET_WINDOW_PACKETS = 64;
const TARGET_RHO_SHARE = 1 / 2;
const TARGET_RANGE = [0.5, 2] as const;
const DRAIN_AFTER_SECONDS = 10;
const DRAIN_FROM_SHARE = 0.5;
const DRAIN_SHARE = 0.8;
const REFILL_RTTS = 2;

/** What an application chooses (cc/receiver/presets.json). */
export interface NuwaParameters {
  /** T_d: the queueing delay to hold with a window of TARGET_WINDOW_PACKETS. */
  readonly targetDelaySeconds: number;
  /** Sensitivity of the trend to the distance from the target (eq. 5). */
  readonly rhoSeconds: number;
  /** Aggressiveness, 1 to 9 (eq. 6). */
  readonly k: number;
  /** Whether the window follows a link that has changed in proportion to itself (catch-up.ts). */
  readonly catchesUp: boolean;
  /** Whether a player's need bounds the window and the target delay (need.ts). */
  readonly followsNeed: boolean;
  /** Whether the window moves by the paper's equations alone, with a constant T_d. */
  readonly asInPaper: boolean;
}

/** The receiver's half; the sender's half is cc/sender/receiver_driven.py. */
export class Nuwa extends WindowReceiver {
  protected readonly parameters: NuwaParameters;
  /** The k of eq. 6; the parameters' where nothing moves it. */
  protected override k: number;
  readonly #catchUp: CatchUp | null;
  /** What the need leaves of the target delay. */
  #targetShare = 1;
  readonly #heldWindow = new HeldWindow(this.measurement);
  readonly #slowStartExit = new SlowStartExit(this.measurement.bandwidth);
  #drainUntilSeconds: number | null = null;
  #drainedTimeSeconds: number | null = null;
  /** Until when at the latest the sender returns to the window that held before a drain. */
  #refillUntilSeconds: number | null = null;
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
    if (parameters.asInPaper && (parameters.catchesUp || parameters.followsNeed)) {
      throw new RangeError(
        "the paper's law neither catches up nor follows a need: choose asInPaper or these",
      );
    }
    super(parameters);
    this.parameters = parameters;
    this.k = parameters.k;
    this.#catchUp = parameters.catchesUp ? new CatchUp() : null;
  }

  /** Forgets what is relative to the clocks; the next stamp gives the window. */
  override startEpoch(nowSeconds: number): void {
    super.startEpoch(nowSeconds);
    this.#trustedPackets = null;
  }

  protected moveWindow(stamp: Stamp, last: Stamp, receivedTimeSeconds: number): void {
    if (!this.measurement.isSuspicious) this.#trustedPackets = null;
    else this.#trustedPackets ??= this.windowPackets;
    if (this.need !== null) {
      const { bytesPerSecond } = this.measurement.bandwidth;
      this.#targetShare = this.need.targetShare(bytesPerSecond, receivedTimeSeconds);
    }
    if (stamp.phase === PHASE.slowStart) {
      this.#watchSlowStart(stamp, receivedTimeSeconds);
    } else {
      this.endSlowStart = false;
      this.#endRefillWhenDone(stamp, receivedTimeSeconds);
      const packets = countedSince(stamp.packetsSent, last.packetsSent);
      this.#updateWindow(stamp, packets, receivedTimeSeconds);
      this.#returnFromHold(stamp, packets, receivedTimeSeconds);
      this.#drainWhenDue(stamp, receivedTimeSeconds);
    }
    if (this.need !== null) {
      const linkPackets = this.windowPackets;
      this.hold(this.need, stamp, this.parameters.targetDelaySeconds, receivedTimeSeconds);
      if (linkPackets !== null && linkPackets !== this.windowPackets) this.#heldWindow.keep(linkPackets);
    }
  }

  /**
   * Starts from the sender's window; in a new epoch from the one that delays lowered wrongly, on a longer path from the
   * one that made no queue there.
   */
  protected beginAnew(stamp: Stamp, receivedTimeSeconds: number): void {
    this.windowPackets = stamp.cwndBytes / stamp.maxDatagramBytes;
    this.endSlowStart = false;
    this.#slowStartExit.beginAnew();
    this.#heldWindow.forget();
    this.#catchUp?.forget();
    this.#drainUntilSeconds = null;
    this.#refillUntilSeconds = null;
    if (this.measurement.epochsBegun > this.#epochsDrained) {
      this.#epochsDrained = this.measurement.epochsBegun;
      this.#drainedTimeSeconds = null;
      const { unqueuedBytes } = this.measurement;
      if (unqueuedBytes === null) {
        this.windowPackets = Math.max(this.windowPackets, this.#trustedPackets ?? 0);
        this.#drainUntilSeconds = this.#drainEndSeconds(stamp, receivedTimeSeconds);
      } else {
        this.windowPackets = Math.max(this.windowPackets, unqueuedBytes / stamp.maxDatagramBytes);
        this.#refillUntilSeconds = receivedTimeSeconds + REFILL_RTTS * (stamp.smoothedRttSeconds ?? 0);
      }
    }
    this.#trustedPackets = null;
  }

  /** Until when a new epoch's queue is drained: the reference must be that of an empty queue. */
  #drainEndSeconds({ phase, minRttSeconds }: Stamp, receivedTimeSeconds: number): number | null {
    if (this.parameters.asInPaper || phase === PHASE.slowStart || minRttSeconds === null) return null;
    return receivedTimeSeconds + 2 * (minRttSeconds + this.parameters.targetDelaySeconds);
  }

  /** Whether the sender's window is another for now: the queue is drained, or it returns from that. */
  get #isAside(): boolean {
    return this.#drainUntilSeconds !== null || this.#refillUntilSeconds !== null;
  }

  /** Eq. 5 and 6, once per packet. */
  #updateWindow(stamp: Stamp, packets: number, receivedTimeSeconds: number): void {
    let window = this.windowPackets;
    if (window === null) return;
    if (this.#isAside) {
      this.#catchUp?.forget();
      return;
    }
    const targetSeconds = this.#targetSeconds(window);
    const delaySeconds = this.measurement.queueingDelay.filteredSeconds;
    const theta = Math.tanh((targetSeconds - delaySeconds) / this.parameters.rhoSeconds);
    let step = theta * this.k;
    this.#catchUp?.onStamp(stamp, receivedTimeSeconds, delaySeconds, targetSeconds);
    if (theta > 0) {
      if (stamp.isAppLimited) return;
      if (!this.parameters.asInPaper) step *= clockFactor(stamp);
    }
    const share = this.#catchUp?.share(theta) ?? 0;
    const updates = Math.min(packets, MAXIMUM_UPDATES_PER_STAMP);
    for (let update = 0; update < updates; update++) {
      const move = step / window;
      window = Math.max(MINIMUM_WINDOW_PACKETS, window + (Math.abs(share) > Math.abs(move) ? share : move));
    }
    this.windowPackets = withinReachPackets(window, stamp);
  }

  #returnFromHold(stamp: Stamp, newPackets: number, receivedTimeSeconds: number): void {
    const window = this.windowPackets;
    if (window === null || this.#isAside) return;
    const targetSeconds = this.#targetSeconds(window);
    const seen = { newPackets, receivedTimeSeconds, targetSeconds };
    this.windowPackets = this.#heldWindow.grownPackets(stamp, window, seen);
  }

  /** The queueing delay to hold with the present window; T_d before the first stamp. */
  override get targetDelaySeconds(): number {
    const window = this.windowPackets;
    return window === null ? this.parameters.targetDelaySeconds : this.#targetSeconds(window);
  }

  /** The queueing delay to hold with this window. */
  #targetSeconds(windowPackets: number): number {
    const { targetDelaySeconds, rhoSeconds, asInPaper } = this.parameters;
    if (asInPaper) return targetDelaySeconds;
    const fall = TARGET_RHO_SHARE * rhoSeconds * Math.log(windowPackets / TARGET_WINDOW_PACKETS);
    const [least, most] = TARGET_RANGE;
    const targetSeconds = Math.min(targetDelaySeconds - fall, most * targetDelaySeconds);
    return this.#targetShare * Math.max(least * targetDelaySeconds, targetSeconds);
  }

  /** Ends slow start as soon as a queue stands, at the window that the bottleneck can carry. */
  #watchSlowStart(stamp: Stamp, receivedTimeSeconds: number): void {
    this.windowPackets = stamp.cwndBytes / stamp.maxDatagramBytes;
    const windowPackets = this.#slowStartExit.windowPackets(
      stamp,
      receivedTimeSeconds,
      this.measurement.queueingDelay.rawSeconds,
      0.5 * this.parameters.targetDelaySeconds,
    );
    if (windowPackets === null) return;
    this.endSlowStart = true;
    this.windowPackets = windowPackets;
  }

  #drainWhenDue(stamp: Stamp, receivedTimeSeconds: number): void {
    if (this.#drainUntilSeconds !== null) {
      if (receivedTimeSeconds >= this.#drainUntilSeconds) {
        this.#drainUntilSeconds = null;
        this.#drainedTimeSeconds = receivedTimeSeconds;
        this.#refillUntilSeconds = receivedTimeSeconds + REFILL_RTTS * (stamp.smoothedRttSeconds ?? 0);
      }
      return;
    }
    const delay = this.measurement.queueingDelay;
    const { asInPaper, targetDelaySeconds } = this.parameters;
    if (asInPaper || delay.filteredSeconds < DRAIN_FROM_SHARE * targetDelaySeconds) return;
    const seenEmptySeconds = Math.max(
      delay.confirmedTimeSeconds,
      this.#drainedTimeSeconds ?? Number.NEGATIVE_INFINITY,
    );
    if (stamp.smoothedRttSeconds !== null && receivedTimeSeconds - seenEmptySeconds > DRAIN_AFTER_SECONDS) {
      this.#drainUntilSeconds = receivedTimeSeconds + 2 * stamp.smoothedRttSeconds;
    }
  }

  /** Stamps still tell of the drained window at first: the bound on growth must not hold that against us. */
  #endRefillWhenDone(stamp: Stamp, receivedTimeSeconds: number): void {
    if (this.#refillUntilSeconds === null || this.windowPackets === null) return;
    if (isWithinReach(this.windowPackets, stamp) || receivedTimeSeconds >= this.#refillUntilSeconds) {
      this.#refillUntilSeconds = null;
    }
  }

  protected override requestedWindowPackets(stamp: Stamp, windowPackets: number, nowSeconds: number): number {
    if (this.#drainUntilSeconds === null || stamp.minRttSeconds === null) return windowPackets;
    const rate = this.measurement.bandwidth.at(nowSeconds, Number.NEGATIVE_INFINITY);
    if (rate === null) return windowPackets;
    return Math.min(windowPackets, (DRAIN_SHARE * rate * stamp.minRttSeconds) / stamp.maxDatagramBytes);
  }
}
