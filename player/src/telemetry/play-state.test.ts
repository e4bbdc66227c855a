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
      ["waiting", 110],
      ["playing", 740],
      ["pause", 900, { paused: true }],
      ["play", 950],
      ["playing", 960],
    ]),
  ).toEqual([{ sta: "s" }, null, { sta: "p", msd: 640 }, { sta: "a" }, null, { sta: "p" }]);
});

test("a start by itself is measured from when the player was told", () => {
  const watch = new PlayStateWatch();
  expect(watch.begin(100)).toEqual({ sta: "s" });
  expect(watch.on("play", PLAYING, 600)).toBeNull();
  expect(watch.on("playing", PLAYING, 740)).toEqual({ sta: "p", msd: 640 });
});

test("a stall is counted when it begins and measured when it ends", () => {
  const told = run([
    ["play", 0],
    ["playing", 10],
    ["waiting", 1000],
    ["waiting", 1100],
    ["playing", 2500],
    ["waiting", 3000],
    ["playing", 3100],
  ]);
  expect(told.slice(2)).toEqual([
    { sta: "r", bs: true, bsa: 1 },
    null,
    { sta: "p", bsd: 1500, bsda: 1500 },
    { sta: "r", bs: true, bsa: 2 },
    { sta: "p", bsd: 100, bsda: 1600 },
  ]);
});

test("waiting for a seek is no stall, and the end is no pause", () => {
  const told = run([
    ["play", 0],
    ["playing", 10],
    ["seeking", 20, { seeking: true }],
    ["waiting", 21, { seeking: true }],
    ["waiting", 22],
    ["playing", 90],
    ["pause", 100, { paused: true, ended: true }],
    ["ended", 100, { paused: true, ended: true }],
  ]);
  expect(told.map((fields) => fields?.sta ?? null)).toEqual(["s", "p", "k", null, null, "p", null, "e"]);
});
