import { expect, test } from "vitest";
import { shownSegments } from "./shown-segments.ts";

const segment = (index: number, endedAtMs: number, bitsPerSecond = 1e6) => ({
  index,
  startSeconds: 2 * index,
  durationSeconds: 2,
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

const seek = (startedAtMs: number, fromSeconds: number, toSeconds: number, endedAtMs: number | null) => ({
  startedAtMs,
  endedAtMs,
  fromSeconds,
  toSeconds,
});
/** Index and seeks before. */
const shownBy = (seeks: readonly ReturnType<typeof seek>[], positionSeconds: number) =>
  shownSegments(
    Array.from({ length: 8 }, (_, index) => segment(index, 100 * index)),
    { positionSeconds, samples, seeks },
  ).map(({ index, seeksBefore }) => [index, seeksBefore]);

test("what a viewer jumped over was not seen, and what was played twice was seen twice, in that order", () => {
  const seeks = [seek(5000, 5, 13, 6000), seek(8000, 15, 2, 8500)];
  const positions = [0, 1, 2, 3, 4, 13, 13, 14, 2, 2.5, 3.5, 4.5];
  const way = {
    positionSeconds: 5,
    samples: positions.map((positionSeconds, second) => ({ atMs: 1000 * second, positionSeconds })),
    seeks,
  };
  const fetched = [0, 1, 2, 6, 7].map((index) => segment(index, 100 * index));
  const anew = [segment(6, 5900, 2e6), segment(7, 7500, 2e6), segment(1, 8400, 2e6), segment(2, 8600, 2e6)];
  const shown = shownSegments([...fetched, ...anew, segment(6, 6100, 3e6)], way);
  expect(
    shown.map(({ index, seeksBefore, bitsPerSecond }) => [index, seeksBefore, bitsPerSecond / 1e6]),
  ).toEqual([
    [0, 0, 1],
    [1, 0, 1],
    [2, 0, 1],
    [6, 1, 2], // entered in its midst, at the picture
    [7, 1, 1],
    [1, 2, 2],
    [2, 2, 2],
  ]);
});

test("a seek without a picture shows nothing, and one to where a segment begins nothing of the one before", () => {
  expect(shownBy([seek(2000, 2 + 1e-9, 13, null), seek(2500, 13, 8 - 1e-9, 3000)], 9)).toEqual([
    [0, 0],
    [4, 2],
  ]);
  expect(shownBy([seek(2000, 2, 13, null)], 13)).toEqual([[0, 0]]);
});

test("a jump within a segment shows it once more where it goes back", () => {
  expect(shownBy([seek(2500, 2.5, 3.5, 2500)], 4)).toEqual([
    [0, 0],
    [1, 0],
  ]);
  expect(shownBy([seek(3500, 3.5, 2.5, 3500)], 4)).toEqual([
    [0, 0],
    [1, 0],
    [1, 1],
  ]);
});
