import { expect, test } from "vitest";
import { Measurement } from "./measurement.ts";
import { PHASE } from "./receiver-scheme.ts";

const BYTES_PER_SECOND = 1_200_000;

/** A stamp each 10 ms on a path of 20 ms for 2 s, behind a queue that grows to 50 ms. */
function measured(): Measurement {
  const measurement = new Measurement();
  measurement.expectData(true);
  for (let index = 0; index <= 200; index++) {
    const receivedSeconds = 0.01 * index;
    const stamp = {
      sequence: index,
      epoch: 0,
      phase: PHASE.avoidance,
      sendTimeSeconds: receivedSeconds - 0.02 - Math.min(0.05, 0.001 * index),
      bytesSent: Math.round(BYTES_PER_SECOND * receivedSeconds),
      packetsSent: 10 * index,
      smoothedRttSeconds: 0.09,
      minRttSeconds: 0.04,
      cwndBytes: 120_000,
      maxDatagramBytes: 1200,
      isAppLimited: false,
    };
    measurement.onStamp(stamp, receivedSeconds);
    measurement.bandwidthBitsPerSecond(receivedSeconds);
  }
  return measurement;
}

const megabits = (measurement: Measurement, nowSeconds: number): number =>
  (measurement.bandwidthBitsPerSecond(nowSeconds) ?? Number.NaN) / 1e6;

test("silence while data is expected says that the link has slowed down", () => {
  const measurement = measured();
  expect(megabits(measurement, 2.1)).toBeCloseTo(9.6, 1);
  expect(megabits(measurement, 2.4)).toBeCloseTo(2.4, 1);
});

test("a pause between requests says nothing, and silence begins with the next one", () => {
  const measurement = measured();
  measurement.expectData(false);
  expect(megabits(measurement, 4)).toBeCloseTo(9.6, 1);
  measurement.expectData(true);
  expect(megabits(measurement, 5)).toBeCloseTo(9.6, 1);
  expect(megabits(measurement, 5.4)).toBeCloseTo(2.4, 1);
});
