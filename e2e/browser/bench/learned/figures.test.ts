import { expect, test } from "vitest";
import { isReached } from "../figures.ts";
import { readP99 } from "./decision-time.ts";
import { emulationFigures } from "./emulation.ts";
import { benchFigure } from "./figures.ts";
import { figure, interval } from "./samples.ts";

const ABOVE_ZERO = { comparison: "above", value: 0 } as const;

test("what has to be sure is reached by the interval's lower end", () => {
  const sure = { interval: interval(0.02, 0.03), reach: ABOVE_ZERO, has_to_be_sure: true };
  const doubtful = benchFigure(figure("reward", 0.02, sure));
  expect(doubtful.value).toBeCloseTo(-0.01);
  expect(doubtful.what).toBe("reward, lower end of 95 %");
  expect(isReached(doubtful)).toBe(false);
  expect(isReached(benchFigure(figure("share", 0.02, { ...sure, has_to_be_sure: false })))).toBe(true);
});

test("a policy that is not shipped neither reaches nor misses anything", () => {
  expect(isReached(benchFigure(figure("Owl: not shipped", null)))).toBeNull();
});

test("both places are apart by shares of mahimahi's", () => {
  const [throughput, delay] = emulationFigures({
    ...{ title: "Owl", link: "24mbit" },
    simulation: { throughputMbps: 22, delayMs: 45 },
    mahimahi: { throughputMbps: 20, delayMs: 50 },
  });
  expect(throughput?.value).toBeCloseTo(10);
  expect(delay?.value).toBeCloseTo(10);
  expect(throughput?.reach).toEqual({ comparison: "at most", value: 10 });
});

test("the decision time's p99 is read", () => {
  const line = "bbr-fit: p50 0.031 ms, p99 0.087 ms, largest 0.412 ms (5000 decisions)\n";
  expect(readP99(line)).toBe(0.087);
  expect(readP99("bbr-fit: no decisions\n")).toBeNull();
});
