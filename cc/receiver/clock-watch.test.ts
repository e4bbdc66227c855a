import fc from "fast-check";
import { expect, it } from "vitest";
import { Nuwa } from "./nuwa.ts";
import { PHASE, type Stamp } from "./receiver-scheme.ts";

const CWND_BYTES = 100 * 1200;
const STAMP_INTERVAL_SECONDS = 0.005;

function stampAt(sequence: number, sendTimeSeconds: number): Stamp {
  return {
    sequence,
    epoch: 0,
    phase: PHASE.avoidance,
    sendTimeSeconds,
    bytesSent: sequence * 12_000,
    packetsSent: sequence * 10,
    smoothedRttSeconds: 0.05,
    minRttSeconds: 0.04,
    cwndBytes: CWND_BYTES,
    maxDatagramBytes: 1200,
    isAppLimited: false,
  };
}

/** A queue between 0 and 20 ms; one clock steps after `stepAt` stamps. Two seconds later begins the verdict. */
function stepAClock(clock: "sender" | "receiver", stepAt: number, stepSeconds: number): number {
  const nuwa = new Nuwa({
    targetDelaySeconds: 0.06,
    rhoSeconds: 0.03,
    k: 7,
    catchesUp: false,
    followsNeed: false,
    asInPaper: false,
  });
  for (let index = 0; index < stepAt + 800; index++) {
    const step = index >= stepAt ? stepSeconds : 0;
    const sentSeconds = 10_000 + index * STAMP_INTERVAL_SECONDS;
    const queueSeconds = 0.01 * (1 + Math.sin(index / 40));
    const receivedSeconds = sentSeconds - 3000 + 0.02 + queueSeconds + (clock === "receiver" ? step : 0);
    nuwa.onStamp(stampAt(index, sentSeconds + (clock === "sender" ? step : 0)), receivedSeconds);
    const { queueingDelaySeconds, windowBytes } = nuwa.state(receivedSeconds);
    expect(windowBytes).toBeGreaterThanOrEqual(2 * 1200);
    expect(windowBytes).toBeLessThanOrEqual(2 * CWND_BYTES);
    if (index >= stepAt + 400) expect(Math.abs(queueingDelaySeconds - queueSeconds)).toBeLessThan(0.008);
  }
  return nuwa.epochsBegun;
}

it("measures rightly again two seconds after either clock stepped, and keeps the window within its limits", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("sender", "receiver"),
      fc.integer({ min: 100, max: 900 }),
      fc.double({ min: 0.5, max: 3600, noNaN: true }),
      fc.boolean(),
      (clock, stepAt, sizeSeconds, isAhead) => {
        stepAClock(clock, stepAt, isAhead ? sizeSeconds : -sizeSeconds);
      },
    ),
    { numRuns: 60 },
  );
});

it("begins one epoch for a step and none without", () => {
  expect(stepAClock("receiver", 400, 2)).toBe(1);
  expect(stepAClock("sender", 400, 2)).toBe(1);
  expect(stepAClock("receiver", 400, 0)).toBe(0);
});
