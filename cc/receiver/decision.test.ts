import { describe, expect, it } from "vitest";
import { accepts, Decisions, isLearned, observationSize, type PolicySpace } from "./decision.ts";

const SPACE: PolicySpace = {
  features: [
    { name: "rate", unit: "bytes/s", low: 1, high: 1e6, isLogarithmic: true },
    { name: "delay", unit: "s", low: 0, high: 1, isLogarithmic: false },
  ],
  history: 3,
  actions: { kind: "choices", values: [0.5, 1, 2] },
  interval: "10 ms",
};
const AMOUNT: PolicySpace = { ...SPACE, actions: { kind: "amount", low: -1, high: 1 } };

describe("Decisions", () => {
  it("observe the last intervals, oldest first", () => {
    const decisions = new Decisions(SPACE);
    decisions.endInterval([10, 0.1], 1);
    expect(decisions.request?.observation).toEqual([0, 0, 0, 0, 10, 0.1]);
    for (const rate of [20, 30, 40]) decisions.endInterval([rate, 0.2], 1);
    expect(decisions.request?.observation).toEqual([20, 0.2, 30, 0.2, 40, 0.2]);
    expect(decisions.request?.observation).toHaveLength(observationSize(SPACE));
  });

  it("end the heuristic with an answer", () => {
    const decisions = new Decisions(SPACE);
    decisions.endInterval([10, 0.1], 1);
    expect(decisions.usesHeuristic).toBe(true);
    expect(decisions.accept(0, 2)).toBe(2);
    expect(decisions).toMatchObject({ usesHeuristic: false, request: null, decided: 1, late: 0, failed: 0 });
  });

  it("let the last decision stand until the next event, and take an answer after it all the same", () => {
    const decisions = new Decisions(SPACE);
    decisions.endInterval([10, 0.1], 1);
    decisions.accept(0, 2);
    decisions.endInterval([10, 0.1], 1);
    expect(decisions.usesHeuristic).toBe(false);
    decisions.onEvent(1.01);
    expect(decisions.usesHeuristic).toBe(true);
    expect(decisions.accept(1, 0)).toBe(0);
    expect(decisions.usesHeuristic).toBe(false);
  });

  it.each([
    [0, false],
    [0.0015, false],
    [0.0025, true],
    [-2, true],
  ])("go on without an answer at an event %f s later: %s", (afterSeconds, isOverdue) => {
    const decisions = new Decisions(SPACE);
    decisions.endInterval([10, 0.1], 1);
    decisions.accept(0, 2);
    decisions.endInterval([10, 0.1], 1.1);
    decisions.onEvent(1.1 + afterSeconds);
    expect(decisions.usesHeuristic).toBe(isOverdue);
  });

  it("go on without an answer when the next interval ends, whatever happened", () => {
    const decisions = new Decisions(SPACE);
    decisions.endInterval([10, 0.1], 1);
    decisions.accept(0, 2);
    decisions.endInterval([10, 0.1], 1);
    expect(decisions.usesHeuristic).toBe(false);
    decisions.endInterval([10, 0.1], 1);
    expect(decisions.usesHeuristic).toBe(true);
  });

  it("count a request as late that is open when the next interval ends, and ignore its answer", () => {
    const decisions = new Decisions(SPACE);
    decisions.endInterval([10, 0.1], 1);
    decisions.onEvent(1.01);
    decisions.endInterval([10, 0.1], 1);
    expect(decisions.accept(0, 1)).toBeNull();
    expect(decisions).toMatchObject({ decided: 0, late: 1, failed: 0 });
    expect(decisions.accept(1, 1)).toBe(1);
    expect(decisions.accept(1, 1)).toBeNull(); // answered before
  });

  it.each([null, Number.NaN, Number.POSITIVE_INFINITY, 3, -1, 0.5])("count %s as failed", (action) => {
    const decisions = new Decisions(SPACE);
    decisions.endInterval([10, 0.1], 1);
    expect(decisions.accept(0, action)).toBeNull();
    expect(decisions).toMatchObject({ usesHeuristic: true, decided: 0, late: 0, failed: 1 });
  });

  it.each([[[1]], [[1, Number.NaN]], [[1, 2, 3]]])("refuse the features %j", (features) => {
    expect(() => new Decisions(SPACE).endInterval(features, 1)).toThrow(
      "are not finite numbers for rate, delay",
    );
  });
});

describe("accepts", () => {
  it.each([
    [-1, true],
    [0.3, true],
    [1.01, false],
    [Number.NaN, false],
  ])("says of the amount %f: %s", (action, isAccepted) => {
    expect(accepts(AMOUNT, action)).toBe(isAccepted);
  });
});

describe("isLearned", () => {
  it("knows a receiver that asks from one that does not", () => {
    expect(isLearned({ request: null, onDecision: () => undefined, decisions: new Decisions(SPACE) })).toBe(
      true,
    );
    expect(isLearned({})).toBe(false);
  });
});
