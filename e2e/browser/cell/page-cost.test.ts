import { expect, test } from "vitest";
import type { StampRecord } from "../page-process/job.ts";
import { pageCost } from "./page-cost.ts";

/** One a second, 1 MB each. */
const STAMPS = Array.from({ length: 11 }, (_, second) => ({
  receivedAtMs: second * 1000,
  bytesSent: second * 1e6,
})) as StampRecord[];

const reading = (atMs: number, workerSeconds: number) => ({
  ...{ atMs, mainSeconds: workerSeconds / 2, workerSeconds },
  ...{ networkSeconds: 0, browserSeconds: 3 * workerSeconds },
});

test("what was used between start-up and end is divided by what came meanwhile", () => {
  const times = [
    reading(500, 10),
    reading(2500, 11),
    reading(5000, 50),
    reading(9500, 11.7),
    reading(10_500, 99),
  ];
  expect(pageCost(times, STAMPS)).toEqual({
    mainMsPerMegabit: expect.closeTo(6.25, 9),
    workerMsPerMegabit: expect.closeTo(12.5, 9),
    networkMsPerMegabit: 0,
    browserMsPerMegabit: expect.closeTo(37.5, 9),
    megabits: 56,
  });
});

test("without two readings nothing is known", () => {
  expect(pageCost([reading(2500, 11)], STAMPS)).toBeNull();
  expect(pageCost([reading(2500, 11), reading(9500, 12)], [])).toBeNull();
});
