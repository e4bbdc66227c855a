import { expect, test } from "vitest";
import { PlayStateWatch, type StateEvent } from "./play-state.ts";

const PLAYING = { paused: false, seeking: false, ended: false };

function run(steps: readonly (readonly [StateEvent, number, Partial<typeof PLAYING>?])[]) {
  const watch = new PlayStateWatch();
  return steps.map(([event, atMs, changes]) => watch.on(event, { ...PLAYING, ...changes }, atMs));
}

test("a start is told with its delay, once", () => {
  expect(
    run([
      ["play", 100],
      ["playing", 740],
      ["pause", 900, { paused: true }],
      ["play", 950],
      ["playing", 960],
    ]),
  ).toEqual([{ sta: "s" }, { sta: "p", msd: 640 }, { sta: "a" }, null, { sta: "p" }]);
});

test("a start by itself is measured from when the player was told", () => {
  const watch = new PlayStateWatch();
  expect(watch.begin(100)).toEqual({ sta: "s" });
  expect(watch.on("play", PLAYING, 600)).toBeNull();
  expect(watch.on("playing", PLAYING, 740)).toEqual({ sta: "p", msd: 640 });
});

test("a start that is wished anew is measured from then, until the film has played", () => {
  const watch = new PlayStateWatch();
  watch.begin(100);
  expect(watch.begin(90_100)).toEqual({ sta: "s" });
  expect(watch.on("playing", PLAYING, 90_800)).toEqual({ sta: "p", msd: 700 });
  expect(watch.begin(95_000)).toBeNull();
  expect(watch.wait()).toBeNull();
});

test("a film that its browser lets play only for its viewer begins when the viewer plays it", () => {
  const watch = new PlayStateWatch();
  expect(watch.wait()).toBeNull();
  watch.begin(100);
  expect(watch.wait()).toEqual({ sta: "a" });
  expect(watch.on("play", PLAYING, 60_000)).toEqual({ sta: "s" });
  expect(watch.on("playing", PLAYING, 60_040)).toEqual({ sta: "p", msd: 40 });
});

test("a stall is counted when it begins and measured when it ends", () => {
  const watch = new PlayStateWatch();
  watch.on("playing", PLAYING, 10);
  expect(watch.stalled()).toEqual({ sta: "r", bs: true, bsa: 1 });
  expect(watch.on("playing", PLAYING, 2400)).toBeNull();
  expect(watch.stallEnded(1500.3, PLAYING)).toEqual({ sta: "p", bsd: 1500, bsda: 1500 });
  expect(watch.stalled()).toEqual({ sta: "r", bs: true, bsa: 2 });
  expect(watch.stallEnded(100, { ...PLAYING, paused: true })).toEqual({ sta: "a", bsd: 100, bsda: 1600 });
  expect(watch.on("pause", { ...PLAYING, paused: true }, 3200)).toBeNull();
});

test("the end is no pause", () => {
  const told = run([
    ["play", 0],
    ["playing", 10],
    ["seeking", 20, { seeking: true }],
    ["playing", 90],
    ["pause", 100, { paused: true, ended: true }],
    ["ended", 100, { paused: true, ended: true }],
  ]);
  expect(told.map((fields) => fields?.sta ?? null)).toEqual(["s", "p", "k", "p", null, "e"]);
});

test("a film that is moved while it stands goes on standing", () => {
  const told = run([
    ["play", 0],
    ["playing", 10],
    ["seeking", 20, { seeking: true }],
    ["seeked", 30],
    ["playing", 40],
    ["pause", 50, { paused: true }],
    ["seeking", 60, { paused: true, seeking: true }],
    ["seeked", 70, { paused: true }],
    ["seeking", 80, { paused: true, seeking: true }],
    ["seeked", 90, { paused: true, ended: true }],
  ]);
  const states = ["s", "p", "k", null, "p", "a", "k", "a", "k", "e"];
  expect(told.map((fields) => fields?.sta ?? null)).toEqual(states);
});
