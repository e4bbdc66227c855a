import { expect, test } from "vitest";
import { shownSegments } from "./shown-segments.ts";

const segment = (index: number, endedAtMs: number, bitsPerSecond = 1e6) => ({
  index,
  startSeconds: 2 * index,
  endedAtMs,
  bitsPerSecond,
});
const samples = [0, 1, 2, 3, 4, 5].map((second) => ({ atMs: 1000 * second, positionSeconds: second }));

test("what lies ahead of the playhead was not seen", () => {
  const fetched = [0, 1, 2, 3, 4].map((index) => segment(index, 100 * index));
  expect(shownSegments(fetched, { positionSeconds: 5, samples }).map(({ index }) => index)).toEqual([
    0, 1, 2,
  ]);
  expect(shownSegments(fetched, { positionSeconds: 0, samples: samples.slice(0, 1) })).toEqual([]);
});

test("a segment that came anew is the one that was seen where it came before the playhead", () => {
  const fetched = [
    segment(0, 100),
    segment(1, 200),
    segment(2, 300),
    segment(1, 4500, 2e6),
    segment(2, 3500, 3e6),
  ];
  const shown = shownSegments(fetched, { positionSeconds: 5, samples });
  expect(shown.map(({ bitsPerSecond }) => bitsPerSecond)).toEqual([1e6, 1e6, 3e6]);
});

test("what came between the playhead's entering and the next sample was not seen", () => {
  const seen = (anewAtMs: number, atSamples = samples) =>
    shownSegments([segment(1, 200), segment(1, anewAtMs, 2e6)], {
      positionSeconds: 5,
      samples: atSamples,
    }).map(({ bitsPerSecond }) => bitsPerSecond);
  expect(seen(2900)).toEqual([1e6]);
  const between = samples.map(({ atMs, positionSeconds }) => ({
    atMs: atMs + 600,
    positionSeconds: positionSeconds + 0.6,
  }));
  expect([seen(1990, between), seen(2010, between)]).toEqual([[2e6], [1e6]]);
  const waiting = samples.map(({ atMs, positionSeconds }) => ({
    atMs,
    positionSeconds: Math.min(positionSeconds, 2),
  }));
  expect(seen(4500, [...waiting, { atMs: 6000, positionSeconds: 3 }])).toEqual([2e6]);
});
