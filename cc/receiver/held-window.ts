/**
 * The way back from a window that a player's need held to the one that the link had. The twin of held_window.py, where
 * it is explained.
 */

import type { Measurement } from "./measurement.ts";
import type { Stamp } from "./receiver-scheme.ts";
import { SlowStartExit } from "./slow-start-exit.ts";
import { withinReachPackets } from "./window-receiver.ts";

const RESERVE_SHARE = 0.5;

interface Seen {
  readonly newPackets: number;
  readonly receivedTimeSeconds: number;
  readonly targetSeconds: number;
}

/** Keeps the link's window, and goes back to it. */
export class HeldWindow {
  /** Null where there is nothing to go back to. */
  #linkPackets: number | null = null;
  readonly #measurement: Measurement;
  readonly #exit: SlowStartExit;

  constructor(measurement: Measurement) {
    this.#measurement = measurement;
    this.#exit = new SlowStartExit(measurement.bandwidth);
  }

  /** The link's window is the present one. */
  forget(): void {
    this.#linkPackets = null;
  }

  /** The need holds the window below this one. */
  keep(linkPackets: number): void {
    this.#linkPackets = Math.max(linkPackets, this.#linkPackets ?? 0);
    this.#exit.beginAnew();
  }

  /** The window a stamp later, on its way back. */
  grownPackets(stamp: Stamp, windowPackets: number, seen: Seen): number {
    const { bandwidth, queueingDelay } = this.#measurement;
    const { receivedTimeSeconds, targetSeconds } = seen;
    const rate = bandwidth.bytesPerSecond;
    if (this.#linkPackets === null || rate === null || stamp.minRttSeconds === null || stamp.isAppLimited) {
      return windowPackets;
    }
    const filledPackets = (rate * (stamp.minRttSeconds + targetSeconds)) / stamp.maxDatagramBytes;
    const mostPackets = Math.min(this.#linkPackets, filledPackets);
    if (queueingDelay.filteredSeconds >= targetSeconds || windowPackets >= mostPackets) {
      this.forget();
      return windowPackets;
    }
    const reserveSeconds = RESERVE_SHARE * targetSeconds;
    const { rawSeconds } = queueingDelay;
    const fittingPackets = this.#exit.windowPackets(stamp, receivedTimeSeconds, rawSeconds, reserveSeconds);
    if (fittingPackets !== null) {
      this.forget();
      return Math.min(windowPackets, fittingPackets);
    }
    return withinReachPackets(Math.min(windowPackets + seen.newPackets, mostPackets), stamp);
  }
}
