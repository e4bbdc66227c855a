import { expect, it } from "vitest";
import { ReadPacing } from "./read-pacing.ts";

const MUCH = 1e6;

it.each([
  ["a slow stream: the longest", 1_000, 10, MUCH, [20, 10]],
  ["20 Mbit/s: until a piece has come", 2_500, 1, MUCH, [9.8304, 10]],
  ["the last bytes: until they have come, and no longer", 2_500, 1, 10_000, [4, 0]],
  ["a fast stream: not at all", 65_536, 1, MUCH, null],
  ["all in one moment: not at all", 2_500, 0, MUCH, null],
  ["nothing but the end is missing: not at all", 100, 10, 0, null],
] as const)("waits with %s", (_case, pieceBytes, elapsedMs, remainingBytes, wait) => {
  const pacing = new ReadPacing(1000);
  const expected = wait && { durationMs: expect.closeTo(wait[0], 9), slackMs: wait[1] };
  expect(pacing.wait(pieceBytes, remainingBytes, 1000 + elapsedMs)).toEqual(expected);
});

it("counts from the read before", () => {
  const pacing = new ReadPacing(0);
  pacing.wait(65_536, MUCH, 100);
  expect(pacing.wait(65_536, MUCH, 110)?.durationMs).toBeCloseTo(3.75, 9);
});
