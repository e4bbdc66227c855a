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
const DRIFT = 2e-4;

/** Watches the stamps of one session, in order of sequence. */
export class PathWatch {
  /** What a round trip takes more than the sender's shortest one says. */
  extraSeconds = 0;
  /** The same by the one-way delay alone; a round trip may show sooner that the path is shorter. */
  #byDelaySeconds = 0;
  /** What a round trip became longer by for each second of the one-way delay. */
  #share = 0;
  /** One-way delay of the longer path, by the clocks of this epoch, and when it was seen. */
  #pathSeconds: number | null = null;
  #seenSeconds = 0;
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

  /** One of the clocks is another. */
  forgetClocks(): void {
    this.#pathSeconds = null;
    this.#stamps = this.#blocks = 0;
  }

  /** The path is another, and the sender has measured it. */
  forgetPath(): void {
    this.extraSeconds = 0;
    this.forgetClocks();
  }

  /** Where the delay is the path's, the most that was in flight on it without a queue; else null. */
  unqueuedBytes(stamp: Stamp, nowSeconds: number, rawDelaySeconds: number): number | null {
    const { smoothedRttSeconds: roundTripSeconds, minRttSeconds, bytesSent } = stamp;
    if (roundTripSeconds === null || minRttSeconds === null) return null;
    const risenSeconds = Math.max(0, roundTripSeconds - minRttSeconds);
    const delaySeconds = nowSeconds - stamp.sendTimeSeconds;
    this.#shorten(delaySeconds, risenSeconds, nowSeconds);
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
    this.#share = (risenSeconds - this.extraSeconds) / this.#stillLeastSeconds;
    this.extraSeconds = this.#byDelaySeconds = risenSeconds;
    this.forgetClocks();
    this.#pathSeconds = delaySeconds;
    this.#seenSeconds = nowSeconds;
    return this.#inFlightBytes;
  }

  /** What is below the longer path's delay by more than clocks drift, or below its round trip, has it shorter. */
  #shorten(delaySeconds: number, risenSeconds: number, nowSeconds: number): void {
    if (this.#pathSeconds !== null && delaySeconds < this.#pathSeconds) {
      const fallSeconds = Math.max(
        0,
        this.#pathSeconds - delaySeconds - DRIFT * (nowSeconds - this.#seenSeconds),
      );
      this.#byDelaySeconds = Math.max(0, this.#byDelaySeconds - this.#share * fallSeconds);
      this.#pathSeconds = delaySeconds;
      this.#seenSeconds = nowSeconds;
    }
    this.extraSeconds = Math.min(this.extraSeconds, this.#byDelaySeconds, risenSeconds);
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
