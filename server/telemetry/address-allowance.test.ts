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
  { allowance = new AddressAllowance(() => 0), sessions = 1 } = {},
) {
  let count = 0;
  let refusal: unknown = null;
  const request = { ip: address, headers } as unknown as Request;
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
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
