import { expect, test } from "vitest";
import { serverAheadMs } from "./server-ahead.ts";

const NOW_MS = Date.parse("2026-11-29T15:00:00Z");
const aheadAt = (answer: () => Promise<Response>) => serverAheadMs(answer, () => NOW_MS);
const telling = (text: string) => aheadAt(async () => new Response(text));

test("tells a clock that is wrong, on either side, and no other", async () => {
  expect(await telling("2026-12-01T15:00:00.000Z")).toBe(2 * 86_400_000);
  expect(await telling("2026-11-29T12:00:00.000Z")).toBe(-3 * 3_600_000);
  expect(await telling("2026-11-29T15:30:00.000Z")).toBe(0);
});

test("takes the own clock for right where nobody tells", async () => {
  expect(await telling("<p>Hello</p>")).toBe(0);
  expect(await aheadAt(() => Promise.reject(new TypeError("Failed to fetch")))).toBe(0);
});
