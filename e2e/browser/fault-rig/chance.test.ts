import { expect, test } from "vitest";
import { Chance } from "./chance.ts";

test("one seed draws the same twice, another something else", () => {
  const draw = (seed: number) => {
    const chance = new Chance(seed);
    return [chance.between([2, 4]), chance.whole(1, 1000), chance.happens(0.5)];
  };
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
});

test("what is drawn lies in its range, all over it", () => {
  const drawn = Array.from({ length: 200 }, (_, seed) => new Chance(seed).between([5, 15]));
  expect(Math.min(...drawn)).toBeGreaterThanOrEqual(5);
  expect(Math.min(...drawn)).toBeLessThan(6);
  expect(Math.max(...drawn)).toBeLessThan(15);
  expect(Math.max(...drawn)).toBeGreaterThan(14);
});
