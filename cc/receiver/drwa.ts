/**
 * DRWA: the receiver bounds the window by what a round trip without much queue carries. The twin of drwa.py, where source
 * and deviations are explained; both are held to the same vectors.
 */

import { PHASE, type Stamp } from "./receiver-scheme.ts";
import { WindowReceiver, withinReachPackets } from "./window-receiver.ts";

const LAMBDA = 3;
const ALPHA = 7 / 8;

/** The receiver's half; the sender's half is cc/sender/receiver_driven.py. */
export class Drwa extends WindowReceiver {
  #roundBeganSeconds = 0;
  #roundBeganBytes = 0;
  #isRoundAppLimited = false;
  #cwndEstBytes: number | null = null;

  protected beginAnew(stamp: Stamp, receivedTimeSeconds: number): void {
    this.windowPackets = stamp.cwndBytes / stamp.maxDatagramBytes;
    this.endSlowStart = false;
    this.#cwndEstBytes = null;
    this.#beginRound(stamp, receivedTimeSeconds);
  }

  protected moveWindow(stamp: Stamp, _last: Stamp, receivedTimeSeconds: number): void {
    if (stamp.phase !== PHASE.slowStart) this.endSlowStart = false;
    if (stamp.minRttSeconds === null) return;
    this.#isRoundAppLimited ||= stamp.isAppLimited;
    const rttEstSeconds = stamp.minRttSeconds + Math.max(0, this.measurement.queueingDelay.filteredSeconds);
    const elapsedSeconds = receivedTimeSeconds - this.#roundBeganSeconds;
    if (elapsedSeconds < rttEstSeconds) return;
    if (!this.#isRoundAppLimited && stamp.phase !== PHASE.recovery) {
      const receivedBytes = ((stamp.bytesSent - this.#roundBeganBytes) * rttEstSeconds) / elapsedSeconds;
      this.#setWindow(stamp, receivedBytes, stamp.minRttSeconds / rttEstSeconds);
    }
    this.#beginRound(stamp, receivedTimeSeconds);
  }

  #beginRound(stamp: Stamp, receivedTimeSeconds: number): void {
    this.#roundBeganSeconds = receivedTimeSeconds;
    this.#roundBeganBytes = stamp.bytesSent;
    this.#isRoundAppLimited = stamp.isAppLimited;
  }

  #setWindow(stamp: Stamp, receivedBytes: number, rttRatio: number): void {
    const inSlowStart = stamp.phase === PHASE.slowStart;
    if (this.#cwndEstBytes === null || inSlowStart) this.#cwndEstBytes = receivedBytes;
    else this.#cwndEstBytes = ALPHA * this.#cwndEstBytes + (1 - ALPHA) * receivedBytes;
    const rwndBytes = LAMBDA * rttRatio * this.#cwndEstBytes;
    if (inSlowStart && rwndBytes < stamp.cwndBytes) this.endSlowStart = true;
    this.windowPackets = withinReachPackets(rwndBytes / stamp.maxDatagramBytes, stamp);
  }
}
