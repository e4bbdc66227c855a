/**
 * Tells a path that has become longer from a queue: its delay stays whatever the flow leaves of its window. The twin of
 * longer_path.py, which explains it.
 */

import type { Stamp } from "./receiver-scheme.ts";

const STILL_SECONDS = 0.002;
const LEAST_RISE_SECONDS = 0.01;
const LEFT_SHARE = 0.4;
const BLOCK_STAMPS = 4;
const LEAST_BLOCKS = 4;

/** Watches the stamps of one session, in order of sequence. */
export class PathWatch {
  /** What a round trip takes more than the sender's shortest one says; 0 where the sender has another path. */
  extraSeconds = 0;
  /** A block is a round trip or more, of some stamps: how many, when it began, its least delay and largest window. */
  #stamps = 0;
  #beganSeconds = 0;
  #beganBytes = 0;
  #leastSeconds = 0;
  #cwndBytes = 0;
  /** Blocks in which the delay stood still: how many, between which delays, and the most that was in flight in one. */
  #blocks = 0;
  #stillLeastSeconds = 0;
  #stillMostSeconds = 0;
  #inFlightBytes = 0;

  /** Delays begin anew. */
  forgetDelays(): void {
    this.#stamps = this.#blocks = 0;
  }

  /** Where the delay is the path's, the most that was in flight on it without a queue; else null. */
  unqueuedBytes(stamp: Stamp, nowSeconds: number, rawDelaySeconds: number): number | null {
    const { smoothedRttSeconds: roundTripSeconds, minRttSeconds, bytesSent } = stamp;
    if (roundTripSeconds === null || minRttSeconds === null) return null;
    const risenSeconds = Math.max(0, roundTripSeconds - minRttSeconds);
    this.extraSeconds = Math.min(this.extraSeconds, risenSeconds);
    if (this.#stamps === 0) return this.#beginBlock(stamp, nowSeconds, rawDelaySeconds);
    this.#stamps++;
    this.#leastSeconds = Math.min(this.#leastSeconds, rawDelaySeconds);
    this.#cwndBytes = Math.max(this.#cwndBytes, stamp.cwndBytes);
    const elapsedSeconds = nowSeconds - this.#beganSeconds;
    if (this.#stamps < BLOCK_STAMPS || elapsedSeconds <= 0 || elapsedSeconds < roundTripSeconds) return null;
    this.#noteBlock(
      Math.min(((bytesSent - this.#beganBytes) * roundTripSeconds) / elapsedSeconds, this.#cwndBytes),
    );
    const isLeft = this.#cwndBytes > LEFT_SHARE * this.#inFlightBytes;
    if (this.#blocks < LEAST_BLOCKS || this.#stillLeastSeconds < LEAST_RISE_SECONDS || isLeft) {
      return this.#beginBlock(stamp, nowSeconds, rawDelaySeconds);
    }
    this.extraSeconds = risenSeconds;
    this.forgetDelays();
    return this.#inFlightBytes;
  }

  #beginBlock(stamp: Stamp, nowSeconds: number, rawDelaySeconds: number): null {
    this.#stamps = 1;
    this.#beganSeconds = nowSeconds;
    this.#beganBytes = stamp.bytesSent;
    this.#leastSeconds = rawDelaySeconds;
    this.#cwndBytes = stamp.cwndBytes;
    return null;
  }

  #noteBlock(inFlightBytes: number): void {
    const leastSeconds = Math.min(this.#stillLeastSeconds, this.#leastSeconds);
    const mostSeconds = Math.max(this.#stillMostSeconds, this.#leastSeconds);
    if (this.#blocks > 0 && mostSeconds - leastSeconds <= STILL_SECONDS) {
      this.#blocks++;
      this.#stillLeastSeconds = leastSeconds;
      this.#stillMostSeconds = mostSeconds;
      this.#inFlightBytes = Math.max(this.#inFlightBytes, inFlightBytes);
    } else {
      this.#blocks = 1;
      this.#stillLeastSeconds = this.#stillMostSeconds = this.#leastSeconds;
      this.#inFlightBytes = inFlightBytes;
    }
  }
}
