import { expect, test } from "vitest";
import { Chance } from "./chance.ts";
import { type Impairment, Impairments } from "./impairments.ts";

const COUNT = 20_000;
const DATAGRAM = Buffer.from("nuwa");

test("a third is lost, three in a row", () => {
  const passed = pass({ loss: 0.3, lossBurst: 3 });
  expect(1 - passed.length / COUNT).toBeCloseTo(0.3, 1);
  const gaps = passed.slice(1).map((at, index) => at - (passed[index] ?? 0) - 1);
  expect(gaps.filter((gap) => gap % 3 !== 0)).toEqual([]);
});

test("a share comes twice", () => {
  expect(pass({ duplication: 0.05 }).length / COUNT).toBeCloseTo(1.05, 2);
});

test("one bit of a damaged datagram is another, and the sender's own bytes stay", () => {
  new Impairments({ corruption: 1 }, new Chance(1)).pass("up", DATAGRAM, (passed) => {
    const bits = [...passed].map((byte, index) => byte ^ (DATAGRAM[index] ?? 0)).filter((bit) => bit !== 0);
    expect(bits).toHaveLength(1);
    expect(Math.log2(bits[0] ?? 0) % 1).toBe(0);
  });
  expect(DATAGRAM.toString()).toBe("nuwa");
});

test("what is overtaken comes later", async () => {
  const order = await new Promise<number[]>((resolve) => {
    const seen: number[] = [];
    const impairments = new Impairments({ reordering: 1 }, new Chance(1));
    impairments.pass("up", DATAGRAM, () => {
      seen.push(1);
      resolve(seen);
    });
    seen.push(2);
  });
  expect(order).toEqual([2, 1]);
});

/** @returns the numbers of the datagrams that came through */
function pass(impairment: Impairment): number[] {
  const impairments = new Impairments(impairment, new Chance(1));
  const passed: number[] = [];
  for (let number = 0; number < COUNT; number += 1) {
    impairments.pass("down", DATAGRAM, () => passed.push(number));
  }
  return passed;
}
