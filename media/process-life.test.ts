import { expect, it } from "vitest";
import { isAlive, startMark, startSeconds } from "./process-life.mjs";

it("tells a process from a later one of its number, where its start is known", () => {
  expect(isAlive(process.pid, 5, () => 5)).toBe(true);
  expect(isAlive(process.pid, 5, () => 6)).toBe(false);
  expect(isAlive(process.pid, 5, () => undefined)).toBe(true);
  expect(isAlive(process.pid, undefined, () => 6)).toBe(true);
  expect(isAlive(2 ** 22 + 1, undefined, () => 6)).toBe(false); // above the highest number that Linux gives
  expect(isAlive(process.pid, startMark(process.pid))).toBe(true);
});

it("reads what ps says of a start", () => {
  expect(startSeconds("Fri Nov 27 22:59:59 2026\n")).toBe(Date.UTC(2026, 10, 27, 22, 59, 59) / 1000);
  expect(startSeconds("Fri Nov  6 09:05:00 2026    \n")).toBe(Date.UTC(2026, 10, 6, 9, 5) / 1000);
  expect(startSeconds("")).toBeUndefined();
});
