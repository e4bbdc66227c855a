import { expect, test } from "vitest";
import { EncoderSilence } from "./encoder-silence.ts";

const WAITING = { isWaiting: true, deliveredBitsPerSecond: 0 };

test("a live film that waits for long while nothing comes is told, until it plays", () => {
  const silence = new EncoderSilence();
  const told = [0, 14_000, 15_000, 60_000].map((atMs) => silence.isLong({ ...WAITING, atMs }));
  expect(told).toEqual([false, false, true, true]);
  expect(silence.isLong({ ...WAITING, atMs: 61_000, isWaiting: false })).toBe(false);
  expect(silence.isLong({ ...WAITING, atMs: 62_000 })).toBe(false); // another wait begins
});

test("one that waits for a slow network is not, but answers without a film are nothing", () => {
  const silence = new EncoderSilence();
  const atRate = (atMs: number, deliveredBitsPerSecond: number) =>
    silence.isLong({ ...WAITING, atMs, deliveredBitsPerSecond });
  expect([atRate(0, 0), atRate(14_000, 300_000), atRate(20_000, 4000)]).toEqual([false, false, false]);
  expect(atRate(35_000, 4000)).toBe(true);
});
