import { expect, it } from "vitest";
import { moveTo } from "./move-to.ts";

const moved = (duration: number, seconds: number): number => {
  const video = { duration, currentTime: 7 };
  moveTo(video, seconds);
  return video.currentTime;
};

it("stays within the film", () => {
  expect([moved(60, 30), moved(60, -5), moved(60, 65)]).toEqual([30, 0, 60]);
});

it("moves by seconds in a film that goes on, which has no tenths", () => {
  const goesOn = Number.POSITIVE_INFINITY;
  expect([moved(goesOn, 12), moved(goesOn, goesOn * 0.5), moved(goesOn, goesOn * 0)]).toEqual([12, 7, 7]);
});

it("moves nothing before the film's length is known", () => {
  expect(moved(Number.NaN, 5)).toBe(7);
});
