import { expect, test } from "vitest";
import { Measurement } from "./measurement.ts";
import { PHASE, type Phase } from "./receiver-scheme.ts";

const FAST_MBITS = 9.6;
const USUAL_RTT_SECONDS = 0.04;
const LONG_RTT_SECONDS = 0.3;
const PACKET_BYTES = 1200;
const SHORTEST_GAP_SECONDS = 0.01;
const QUEUE_STEP_SECONDS = 0.001;
const LONGEST_QUEUE_SECONDS = 0.05;

interface Manner {
  readonly queueSeconds?: number;
  readonly phase?: Phase;
  readonly isAppLimited?: boolean;
}

/** Stamps of a flow, 10 ms apart or a packet, over a link that has a rate and a queue. */
class Path {
  readonly measurement = new Measurement();
  nowSeconds = 0;
  cwndBytes = 120_000;
  /** How far the receiver's clock has stepped ahead. */
  stepSeconds = 0;
  readonly #minRttSeconds: number;
  #extraSeconds = 0;
  #sequence = 0;
  #sentBytes = 0;
  #queueSeconds = 0;

  constructor(minRttSeconds = USUAL_RTT_SECONDS) {
    this.#minRttSeconds = minRttSeconds;
    this.measurement.expectData(true);
  }

  /** Lets so much arrive for so long, behind a queue that grows by a millisecond a stamp. */
  carry(mbits: number, seconds: number, manner: Manner = {}): void {
    const { queueSeconds = LONGEST_QUEUE_SECONDS } = manner;
    const bytesPerSecond = (1e6 / 8) * mbits;
    const untilSeconds = this.nowSeconds + seconds;
    while (this.nowSeconds < untilSeconds) {
      const gapSeconds = Math.max(SHORTEST_GAP_SECONDS, PACKET_BYTES / bytesPerSecond);
      this.nowSeconds += gapSeconds;
      this.#sentBytes += gapSeconds * bytesPerSecond;
      this.#queueSeconds = Math.min(queueSeconds, this.#queueSeconds + QUEUE_STEP_SECONDS);
      this.#stamp(manner);
    }
  }

  /** Becomes longer on the way here; the shortest round trip is what it was. */
  lengthen(extraSeconds: number): void {
    this.#extraSeconds = extraSeconds;
    this.nowSeconds += extraSeconds;
  }

  /** The estimate so long after the newest stamp. */
  toldMbits(afterSeconds: number): number {
    return (this.measurement.bandwidthBitsPerSecond(this.nowSeconds + afterSeconds) ?? Number.NaN) / 1e6;
  }

  #stamp({ phase = PHASE.avoidance, isAppLimited = false }: Manner): void {
    const stamp = {
      sequence: this.#sequence++,
      epoch: 0,
      phase,
      sendTimeSeconds: this.nowSeconds - this.#minRttSeconds / 2 - this.#extraSeconds - this.#queueSeconds,
      bytesSent: Math.round(this.#sentBytes),
      packetsSent: Math.round(this.#sentBytes / PACKET_BYTES),
      smoothedRttSeconds: this.#minRttSeconds + this.#extraSeconds + this.#queueSeconds,
      minRttSeconds: this.#minRttSeconds,
      cwndBytes: this.cwndBytes,
      maxDatagramBytes: PACKET_BYTES,
      isAppLimited,
    };
    this.measurement.onStamp(stamp, this.nowSeconds + this.stepSeconds);
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

test("where bytes come slower without a queue, a download gets no more", () => {
  const path = busyPath();
  path.carry(2, 10, { queueSeconds: 0 });
  expect(path.toldMbits(0)).toBeCloseTo(2, 0);
});

test("a drain hardly shows", () => {
  const path = busyPath();
  path.carry(FAST_MBITS / 2, 2 * USUAL_RTT_SECONDS, { queueSeconds: 0 });
  expect(path.toldMbits(0)).toBeGreaterThan(0.95 * FAST_MBITS);
});

test("an application that has too little to send lowers nothing, nor does slow start", () => {
  for (const manner of [{ isAppLimited: true }, { phase: PHASE.slowStart }]) {
    const path = busyPath();
    path.carry(2, 10, { queueSeconds: 0, ...manner });
    expect(path.toldMbits(0)).toBeCloseTo(FAST_MBITS, 0);
  }
});

test("nor does a receiver that holds the flow back", () => {
  const path = busyPath();
  path.measurement.isHeld = true;
  path.carry(2, 10, { queueSeconds: 0 });
  expect(path.toldMbits(0)).toBeCloseTo(FAST_MBITS, 0);
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

test("nor does the round trip between two downloads", () => {
  const path = new Path(LONG_RTT_SECONDS);
  path.carry(FAST_MBITS, 2);
  path.nowSeconds += LONG_RTT_SECONDS;
  path.carry(FAST_MBITS, LONG_RTT_SECONDS, { isAppLimited: true });
  path.carry(FAST_MBITS, 0.05);
  expect(path.toldMbits(0)).toBeCloseTo(FAST_MBITS, 0);
});

test("silence while data is expected says that the link has slowed down", () => {
  const path = busyPath();
  expect(path.toldMbits(0.1)).toBeCloseTo(FAST_MBITS, 1);
  expect(path.toldMbits(0.4)).toBeCloseTo(FAST_MBITS / 4, 1);
});

test("a pause between requests says nothing, and silence begins a round trip after the next", () => {
  const path = busyPath();
  path.measurement.expectData(false);
  expect(path.toldMbits(2)).toBeCloseTo(FAST_MBITS, 1);
  path.measurement.expectData(true);
  expect(path.toldMbits(3)).toBeCloseTo(FAST_MBITS, 1);
  const beginsSeconds = 3 + USUAL_RTT_SECONDS + LONGEST_QUEUE_SECONDS;
  expect(path.toldMbits(beginsSeconds + 0.1)).toBeCloseTo(FAST_MBITS, 1);
  expect(path.toldMbits(beginsSeconds + 0.4)).toBeCloseTo(FAST_MBITS / 4, 1);
});

test("on a path that has become longer, what it gained explains no step of a clock", () => {
  const path = new Path();
  path.carry(FAST_MBITS, 1, { queueSeconds: 0 });
  path.lengthen(0.3);
  path.carry(FAST_MBITS, 2, { queueSeconds: 0 });
  path.cwndBytes = 40_000;
  path.carry(FAST_MBITS / 12, 3, { queueSeconds: 0 });
  expect(path.measurement.epochsBegun).toBe(1);
  path.stepSeconds = 0.4;
  path.carry(FAST_MBITS / 12, 2, { queueSeconds: 0 });
  expect(path.measurement.epochsBegun).toBe(2);
  expect(path.measurement.queueingDelay.rawSeconds).toBeCloseTo(0, 3);
});
