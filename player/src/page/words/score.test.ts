import { expect, it } from "vitest";
import { FILM_MEASURES, type SideScore, scoreRows } from "./score.ts";

const score = (stalls: number, linear: number | null, mean: number | null): SideScore => ({
  qoe: {
    sinceMs: null,
    startupSeconds: 0.6,
    stallCount: stalls,
    stalledSeconds: stalls / 2,
    switches: 2,
    meanBitsPerSecond: 3e6,
    linear,
    linearPerSegment: null,
  },
  queueingDelayMs: { mean, p95: null },
});

const rowOf = (title: string, left: SideScore, right: SideScore) =>
  scoreRows(FILM_MEASURES, left, right).find((row) => row.title === title);

it("calls fewer stalls and a higher quality better", () => {
  const [left, right] = [score(0, 40, 30), score(2, 31.26, 220)];
  expect(rowOf("Stalls", left, right)).toEqual({ title: "Stalls", texts: ["0", "2"], better: 0 });
  expect(rowOf("QoE_lin", right, left)).toEqual({ title: "QoE_lin", texts: ["31.3", "40.0"], better: 1 });
});

it("calls neither better where the texts are alike or one is unknown", () => {
  expect(rowOf("Queue, mean, ms", score(0, 1, 30.1), score(0, 1, 29.9))?.better).toBeNull();
  expect(rowOf("QoE_lin", score(0, null, 30), score(0, 1, 30))).toMatchObject({
    texts: ["–", "1.0"],
    better: null,
  });
});
