import { expect, it } from "vitest";
import { randomUuid } from "./random-uuid.ts";

/** As a page over plain HTTP has it. */
const filledWith = (byte: number) => ({
  getRandomValues: <T>(bytes: T): T => (bytes as Uint8Array).fill(byte) as T,
});

it("is of version 4, whatever the dice say", () => {
  expect(randomUuid(filledWith(0x00))).toBe("00000000-0000-4000-8000-000000000000");
  expect(randomUuid(filledWith(0xff))).toBe("ffffffff-ffff-4fff-bfff-ffffffffffff");
});

it("is another one each time", () => {
  const uuids = new Set(Array.from({ length: 100 }, () => randomUuid()));
  expect(uuids.size).toBe(100);
});
