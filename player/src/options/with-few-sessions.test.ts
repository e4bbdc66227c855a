import { expect, it } from "vitest";
import { withFewSessions } from "./with-few-sessions.ts";

const worker = (name: string, sessions?: number) => ({
  url: `https://127.0.0.1/${name}`,
  certificateHashes: [],
  ...(sessions === undefined ? {} : { sessions }),
});
/** Draws these numbers, one after the other. */
const drawing =
  (...numbers: number[]) =>
  () =>
    numbers.shift() ?? 0;

it("takes the one with fewer of two by chance", () => {
  const workers = [worker("a", 2), worker("b", 0), worker("c", 1)];
  expect(withFewSessions(workers, drawing(0, 0))).toBe(workers[1]);
  expect(withFewSessions(workers, drawing(0.99, 0))).toBe(workers[2]);
  expect(withFewSessions(workers, drawing(0, 0.99))).toBe(workers[2]);
});

it("takes by chance where two have the same number", () => {
  const workers = [worker("a", 1), worker("b", 1)];
  expect(withFewSessions(workers, drawing(0, 0))).toBe(workers[0]);
  expect(withFewSessions(workers, drawing(0.5, 0))).toBe(workers[1]);
});

it("takes the only one, none of none, and none of those that do not say how many they have", () => {
  const only = worker("a", 5);
  expect(withFewSessions([only], drawing(0.9, 0.9))).toBe(only);
  expect(withFewSessions([], drawing())).toBeNull();
  expect(withFewSessions([only, worker("b")], drawing())).toBeNull();
});
