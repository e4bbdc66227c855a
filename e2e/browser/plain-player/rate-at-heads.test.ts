import { expect, test } from "vitest";
import { rateAtHeads } from "./rate-at-heads.ts";

test("an answer's rate is the link's of the second before its head, from when the answer is whole", () => {
  const opportunities = [100, 900, 1400, 1600].map((atMs) => ({ atMs, bytes: 1000 }));
  const told = [
    { headAtMs: 1000, takenAtMs: 1000 },
    { headAtMs: 1450, takenAtMs: 1900 },
  ];
  const rates = rateAtHeads(told, { opportunities }, { fromMs: 500, toMs: 2500 });
  // two in (0, 1000], two in (450, 1450]: the one at 1600 came after the head
  expect(rates).toEqual([
    { atMs: 500, value: null },
    { atMs: 1000, value: 16_000 },
    { atMs: 1500, value: 16_000 },
    { atMs: 2000, value: 16_000 },
  ]);
});

test("a link that stood still has a rate of 0", () => {
  const told = [{ headAtMs: 5000, takenAtMs: 5000 }];
  const opportunities = [{ atMs: 100, bytes: 1504 }];
  expect(rateAtHeads(told, { opportunities }, { fromMs: 5000, toMs: 5500 })).toEqual([
    { atMs: 5000, value: 0 },
  ]);
});
