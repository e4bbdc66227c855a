import { expect, test } from "vitest";
import { staysAhead } from "./stays-ahead.ts";

const FILM = { wholeSeconds: 120 };
const HOW = { leadSeconds: 20, share: 0.5 };

test.each([
  // 4 s of film a second, 2 of them beside a page
  [19, 4.75, false],
  [20, 5, true],
  // 1.2 and 0.6: in the 100 s that are left for 60 s of film
  [59, 59 / 1.2, false],
  [60, 50, true],
  // 0.4 and 0.2
  [99, 99 / 0.4, false],
  [100, 250, true],
])("with %s s of film after %s s: %s", (encodedSeconds, elapsedSeconds, isAhead) => {
  expect(staysAhead({ ...FILM, encodedSeconds, elapsedSeconds }, HOW)).toBe(isAhead);
});

test("an encoder that a page leaves nothing is not ahead before the end", () => {
  const nothingLeft = { ...HOW, share: 0 };
  expect(staysAhead({ ...FILM, encodedSeconds: 119, elapsedSeconds: 1 }, nothingLeft)).toBe(false);
});
