import { expect, it } from "vitest";
import { MediaError } from "./media-error.ts";
import { parseLadder } from "./own-ladder.ts";

it("a ladder is read lowest rate first, upright sizes, too", () => {
  expect(parseLadder("720x1280@2.5M, 640x360@800k", "--ladder")).toEqual([
    { longSide: 640, shortSide: 360, videoBitsPerSecond: 800_000 },
    { longSide: 1280, shortSide: 720, videoBitsPerSecond: 2_500_000 },
  ]);
});

it.each([
  ["", '--ladder has the rung "": write width, height and rate, as in 640x360@800k,1280x720@2.5M'],
  ["640x360@800k,", 'has the rung ""'],
  ["640x360", 'has the rung "640x360"'],
  ["640@800k", 'has the rung "640@800k"'],
  ["640x360@800", 'has the rung "640x360@800"'],
  ["640x360@-8k", 'has the rung "640x360@-8k"'],
  ["8x8@800k", 'has the rung "8x8@800k"'],
  ["640x360@1k", 'has the rung "640x360@1k"'],
  ["640x360@9999M", 'has the rung "640x360@9999M"'],
  ["640x360@800k,320x180@0.8M", "has two rungs of 800 kbit/s: give each its own rate"],
  [
    Array.from({ length: 13 }, (_, rung) => `64x36@${rung + 20}k`).join(","),
    "has 13 rungs: write at most 12",
  ],
])("%s is refused in one sentence", (text, sentence) => {
  expect(() => parseLadder(text, "--ladder")).toThrow(MediaError);
  expect(() => parseLadder(text, "--ladder")).toThrow(sentence);
});
