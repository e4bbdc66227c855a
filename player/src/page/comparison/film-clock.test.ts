import { expect, it } from "vitest";
import { FilmClock } from "./film-clock.ts";

it("counts while it runs and stands while paused", () => {
  const clock = new FilmClock();
  expect(clock.text(5000)).toBe("0:00");
  clock.start(10_000);
  clock.start(11_000); // once is enough
  expect(clock.text(15_500)).toBe("0:05");
  clock.pause(20_000);
  expect(clock.isRunning).toBe(false);
  expect(clock.text(99_000)).toBe("0:10");
  clock.start(100_000);
  expect(clock.text(155_000)).toBe("1:05");
});
