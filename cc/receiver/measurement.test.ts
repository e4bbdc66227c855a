import { expect, test } from "vitest";
import { Measurement } from "./measurement.ts";
import { PHASE } from "./receiver-scheme.ts";

const FAST_MBITS = 9.6;
const MIN_RTT_SECONDS = 0.04;
const PACKET_BYTES = 1200;
const SHORTEST_GAP_SECONDS = 0.01;
const QUEUE_STEP_SECONDS = 0.001;

/** Stamps of a flow, 10 ms apart or a packet, over a link that has a rate and a queue. */
class Path {
  readonly measurement = new Measurement();
  nowSeconds = 0;
  #sequence = 0;
  #sentBytes = 0;
  #queueSeconds = 0;

  constructor() {
    this.measurement.expectData(true);
  }

  /** Lets so much arrive for so long, behind a queue that grows by a millisecond a stamp. */
  carry(mbits: number, seconds: number, queueSeconds = 0.05): void {
    const bytesPerSecond = (1e6 / 8) * mbits;
    const untilSeconds = this.nowSeconds + seconds;
    while (this.nowSeconds < untilSeconds) {
      const gapSeconds = Math.max(SHORTEST_GAP_SECONDS, PACKET_BYTES / bytesPerSecond);
      this.nowSeconds += gapSeconds;
      this.#sentBytes += gapSeconds * bytesPerSecond;
      this.#queueSeconds = Math.min(queueSeconds, this.#queueSeconds + QUEUE_STEP_SECONDS);
      this.#stamp(this.#queueSeconds);
    }
  }

  /** The estimate so long after the newest stamp. */
  toldMbits(afterSeconds: number): number {
    return (this.measurement.bandwidthBitsPerSecond(this.nowSeconds + afterSeconds) ?? Number.NaN) / 1e6;
  }

  #stamp(queueSeconds: number): void {
    const stamp = {
      sequence: this.#sequence++,
      epoch: 0,
      phase: PHASE.avoidance,
      sendTimeSeconds: this.nowSeconds - MIN_RTT_SECONDS / 2 - queueSeconds,
      bytesSent: Math.round(this.#sentBytes),
      packetsSent: Math.round(this.#sentBytes / PACKET_BYTES),
      smoothedRttSeconds: MIN_RTT_SECONDS + queueSeconds,
      minRttSeconds: MIN_RTT_SECONDS,
      cwndBytes: 120_000,
      maxDatagramBytes: PACKET_BYTES,
      isAppLimited: false,
    };
    this.measurement.onStamp(stamp, this.nowSeconds);
    this.toldMbits(0);
  }
}

/** A flow that has a queue on a fast link. */
function busyPath(): Path {
  const path = new Path();
  path.carry(FAST_MBITS, 2);
  return path;
}

test.each([0.1, 0.2, 0.5, 0.9])("a link that becomes slow is known to be: %d Mbit/s", (mbits) => {
  const path = busyPath();
  path.carry(mbits, 3 + 2 / mbits);
  expect(path.toldMbits(0) / mbits).toBeCloseTo(1, 1);
});

test.each([0.064, 0.1, 0.15])("rare packets are no silence: %d Mbit/s", (mbits) => {
  const path = busyPath();
  path.carry(mbits, 3 + 2 / mbits);
  const packetSeconds = (8e-6 * PACKET_BYTES) / mbits;
  expect(path.toldMbits(packetSeconds) / mbits).toBeCloseTo(1, 1);
});

test("a pause of the link says nothing of its rate", () => {
  const path = busyPath();
  path.nowSeconds += 0.3;
  path.carry(FAST_MBITS, 0.05);
  expect(path.toldMbits(0)).toBeCloseTo(FAST_MBITS, 0);
});

test("silence while data is expected says that the link has slowed down", () => {
  const path = busyPath();
  expect(path.toldMbits(0.1)).toBeCloseTo(FAST_MBITS, 1);
  expect(path.toldMbits(0.4)).toBeCloseTo(FAST_MBITS / 4, 1);
});

test("a pause between requests says nothing, and silence begins with the next one", () => {
  const path = busyPath();
  path.measurement.expectData(false);
  expect(path.toldMbits(2)).toBeCloseTo(FAST_MBITS, 1);
  path.measurement.expectData(true);
  expect(path.toldMbits(3)).toBeCloseTo(FAST_MBITS, 1);
  expect(path.toldMbits(3.4)).toBeCloseTo(FAST_MBITS / 4, 1);
});
