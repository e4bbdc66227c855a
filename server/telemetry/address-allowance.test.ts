import type { Request, Response } from "express";
import { expect, test } from "vitest";
import { BODY_LIMIT_BYTES } from "../../player/src/telemetry/vocabulary.ts";
import { AddressAllowance, ALLOWANCE } from "./address-allowance.ts";

const AT_ONCE = ALLOWANCE.burst / BODY_LIMIT_BYTES;
const TRIES = 10_000;

/** @returns how many of so many requests pass, each of which names so many sessions, and the refusal of the others */
function passed(
  address: string,
  headers: Record<string, string>,
  { allowance = new AddressAllowance(() => 0), sessions = 1, tries = TRIES } = {},
) {
  let count = 0;
  let refusal: unknown = null;
  const request = { ip: address, ips: [], socket: {}, headers } as unknown as Request;
  for (let attempt = 0; attempt < tries; attempt += 1) {
    try {
      allowance.handler(request, {} as Response, () => allowance.chargeSessions(request, sessions));
      count += 1;
    } catch (error) {
      refusal = error;
    }
  }
  return { count, refusal };
}

test("an address sends so many bytes at once, a size that is not told counting as the largest", () => {
  const { count, refusal } = passed("192.0.2.7", { "content-length": String(BODY_LIMIT_BYTES) });
  expect(count).toBe(AT_ONCE);
  expect(refusal).toMatchObject({ status: 429, retryAfterSeconds: 5 });
  expect(passed("192.0.2.7", {}).count).toBe(AT_ONCE);
});

test("however small a request is, each session that it names counts as a KiB", () => {
  const small = { "content-length": "100" };
  expect(passed("192.0.2.7", small).count).toBe(8192);
  expect(passed("192.0.2.7", small, { sessions: 8 }).count).toBe(1024);
  expect(passed("192.0.2.7", { "content-length": "8192" }, { sessions: 8 }).count).toBe(1024);
});

test("addresses do not share, and this machine's has no limit", () => {
  const allowance = new AddressAllowance(() => 0);
  expect(passed("192.0.2.7", {}, { allowance }).count).toBe(AT_ONCE);
  expect(passed("192.0.2.8", {}, { allowance }).count).toBe(AT_ONCE);
  expect(passed("127.0.0.1", {}, { allowance }).count).toBe(TRIES);
});

const LARGEST = { "content-length": String(BODY_LIMIT_BYTES) };
const MIB = 1024 * 1024;

test("an address that sends all it may at once, again and again, has a day's bytes", () => {
  let nowMs = 0;
  const allowance = new AddressAllowance(() => nowMs);
  let sentBytes = 0;
  for (let hour = 0; hour < 24; hour += 1) {
    for (let burst = 0; burst < 6; burst += 1) {
      nowMs += 600_000;
      sentBytes += passed("192.0.2.7", LARGEST, { allowance, tries: AT_ONCE + 1 }).count * BODY_LIMIT_BYTES;
    }
  }
  expect(sentBytes / MIB).toBeGreaterThan(500);
  expect(sentBytes / MIB, "one day's at once, and what a day adds").toBeLessThan(513);
  nowMs += 600_000;
  const { refusal } = passed("192.0.2.7", LARGEST, { allowance, tries: AT_ONCE - 1 });
  expect(refusal).toMatchObject({ status: 429, message: expect.stringContaining("in a day") });
  expect(passed("192.0.2.8", LARGEST, { allowance, tries: AT_ONCE + 1 }).count, "of another address").toBe(
    AT_ONCE,
  );
});

test("networks of one IPv6 site share a day, those of another site have their own", () => {
  const allowance = new AddressAllowance(() => 0);
  const counts = Array.from(
    { length: 70 },
    (_, network) =>
      passed(`2001:db8:7:${network.toString(16)}::1`, LARGEST, { allowance, tries: AT_ONCE + 1 }).count,
  );
  expect(counts).toEqual([...Array(64).fill(AT_ONCE), ...Array(6).fill(0)]);
  expect(passed("2001:db8:8::1", LARGEST, { allowance, tries: AT_ONCE + 1 }).count).toBe(AT_ONCE);
});
