import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { feedbackIntervalSeconds } from "./feedback-interval.ts";
import type { Phase } from "./receiver-scheme.ts";

interface VectorCase {
  name: string;
  phase: Phase;
  min_rtt_s: number | null;
  interval_s: number;
}

const CASES: VectorCase[] = JSON.parse(
  readFileSync(new URL("testdata/feedback-interval.json", import.meta.url), "utf8"),
);

test.each(CASES)("$name", ({ phase, min_rtt_s, interval_s }) => {
  expect(feedbackIntervalSeconds({ phase, minRttSeconds: min_rtt_s })).toBeCloseTo(interval_s, 12);
});
