/**
 * Tells a clock that stepped, or stood still, from a queue. The twin of clock_watch.py, where the reasoning and the
 * choice of the constants are explained; both are held to the same vectors.
 */

import type { Stamp } from "./receiver-scheme.ts";

const LEAST_STEP_SECONDS = 0.25;
const LEAST_DURATION_SECONDS = 0.5;
const LEAST_TURNS = 4;
const SMOOTHING_REST = 7 / 8;
const RISE_SHARE = 0.5;
const TURN_MARGIN_SECONDS = 0.1;
const TURN_MARGIN_PACKETS = 2;

/** How long delays have been suspicious, and what was seen since. */
interface Suspicion {
  readonly sinceSeconds: number;
  floorSeconds: number;
  turns: number;
  turn: Turn;
}

interface Turn {
  readonly began: Stamp;
  readonly delaySeconds: number;
  cwndBytes: number;
}

/** Watches the stamps of one session, in order of sequence. */
export class ClockWatch {
  #lastSendSeconds = Number.NEGATIVE_INFINITY;
  #lastReceivedSeconds = Number.NEGATIVE_INFINITY;
  #suspicion: Suspicion | null = null;

  /** Whether the delays of late are not explained by the sender's round trips so far. */
  get isSuspicious(): boolean {
    return this.#suspicion !== null;
  }

  /** Whether one of the clocks went back since the stamp before: the plainest kind of step. */
  runsBack(stamp: Stamp, receivedTimeSeconds: number): boolean {
    const isBack =
      stamp.sendTimeSeconds < this.#lastSendSeconds || receivedTimeSeconds < this.#lastReceivedSeconds;
    this.#lastSendSeconds = stamp.sendTimeSeconds;
    this.#lastReceivedSeconds = receivedTimeSeconds;
    return isBack;
  }

  /** Whether the delay fell below the reference by more than a queue of which the round trips knew. */
  leaps(stamp: Stamp, undercutSeconds: number): boolean {
    const rise = riseSeconds(stamp);
    return rise !== null && undercutSeconds >= LEAST_STEP_SECONDS && rise < RISE_SHARE * undercutSeconds;
  }

  /** Whether the round trips have proved by now that the delay is not a queue's. */
  contradicts(stamp: Stamp, receivedTimeSeconds: number, rawDelaySeconds: number): boolean {
    const rise = riseSeconds(stamp);
    if (rise === null || rawDelaySeconds < LEAST_STEP_SECONDS || rise >= RISE_SHARE * rawDelaySeconds) {
      this.forget();
      return false;
    }
    const suspicion = this.#suspicion;
    if (suspicion === null) {
      const turn = beginTurn(stamp, rawDelaySeconds);
      this.#suspicion = { sinceSeconds: receivedTimeSeconds, floorSeconds: rawDelaySeconds, turns: 0, turn };
      return false;
    }
    suspicion.floorSeconds = Math.min(suspicion.floorSeconds, rawDelaySeconds);
    suspicion.turn.cwndBytes = Math.max(suspicion.turn.cwndBytes, stamp.cwndBytes);
    if (isTurnOver(suspicion.turn, stamp)) {
      suspicion.turns++;
      suspicion.turn = beginTurn(stamp, rawDelaySeconds);
    }
    const { sinceSeconds, floorSeconds, turns } = suspicion;
    if (turns < LEAST_TURNS || receivedTimeSeconds - sinceSeconds < LEAST_DURATION_SECONDS) return false;
    const dueSeconds = (1 - SMOOTHING_REST ** turns) * floorSeconds;
    return rise < RISE_SHARE * dueSeconds;
  }

  /** Nothing is suspicious (any more). */
  forget(): void {
    this.#suspicion = null;
  }
}

function beginTurn(began: Stamp, delaySeconds: number): Turn {
  return { began, delaySeconds, cwndBytes: began.cwndBytes };
}

/** Whether the sender knew the round trip of the stamp that began the turn when this one left. */
function isTurnOver({ began, delaySeconds, cwndBytes }: Turn, stamp: Stamp): boolean {
  const marginBytes = TURN_MARGIN_PACKETS * stamp.maxDatagramBytes;
  if (stamp.bytesSent - began.bytesSent > cwndBytes + marginBytes) return true;
  const roundTripSeconds = (stamp.smoothedRttSeconds ?? 0) + delaySeconds;
  return stamp.sendTimeSeconds - began.sendTimeSeconds > roundTripSeconds + TURN_MARGIN_SECONDS;
}

/** How far the smoothed RTT stands above the least one; null before the first sample. */
function riseSeconds(stamp: Stamp): number | null {
  if (stamp.smoothedRttSeconds === null || stamp.minRttSeconds === null) return null;
  return Math.max(0, stamp.smoothedRttSeconds - stamp.minRttSeconds);
}
