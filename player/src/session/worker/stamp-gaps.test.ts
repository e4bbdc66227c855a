import { describe, expect, it } from "vitest";
import { StampGaps } from "./stamp-gaps.ts";

function count(sequences: readonly number[]): { received: number; missing: number } {
  const gaps = new StampGaps();
  for (const sequence of sequences) {
    gaps.onSequence(sequence);
  }
  return { received: gaps.received, missing: gaps.missing };
}

describe("stamp gaps", () => {
  it("has none in an unbroken run, wherever it begins", () => {
    expect(count([7, 8, 9])).toEqual({ received: 3, missing: 0 });
  });

  it("counts what was skipped", () => {
    expect(count([0, 1, 5, 6])).toEqual({ received: 4, missing: 3 });
  });

  it("takes a late stamp off again", () => {
    expect(count([0, 2, 1])).toEqual({ received: 3, missing: 0 });
  });

  it("knows the newest from a late one, also across the end of the sequence space", () => {
    const gaps = new StampGaps();
    const sequences = [2 ** 32 - 2, 0, 2 ** 32 - 1, 0, 1];
    expect(sequences.map((sequence) => gaps.onSequence(sequence))).toEqual([true, true, false, false, true]);
  });

  it("passes the end of the sequence space", () => {
    expect(count([2 ** 32 - 2, 2 ** 32 - 1, 1])).toEqual({ received: 3, missing: 1 });
  });
});
