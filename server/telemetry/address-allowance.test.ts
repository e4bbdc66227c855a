import type { Request, Response } from "express";
import { expect, test } from "vitest";
import { BODY_LIMIT_BYTES } from "../../player/src/telemetry/vocabulary.ts";
import { ALLOWANCE, addressAllowance } from "./address-allowance.ts";

const AT_ONCE = ALLOWANCE.burst / BODY_LIMIT_BYTES;

/** @returns how many of a thousand batches of the largest size pass, and the refusal of the others */
function passed(address: string, headers: Record<string, string>, allowance = addressAllowance(() => 0)) {
  let count = 0;
  let refusal: unknown = null;
  const request = { ip: address, headers } as unknown as Request;
  for (let batch = 0; batch < 1000; batch += 1) {
    allowance(request, {} as Response, (error?: unknown) => {
      if (error === undefined) count += 1;
      else refusal = error;
    });
  }
  return { count, refusal };
}

test("an address sends so many bytes at once, a size that is not told counting as the largest", () => {
  const { count, refusal } = passed("192.0.2.7", { "content-length": String(BODY_LIMIT_BYTES) });
  expect(count).toBe(AT_ONCE);
  expect(refusal).toMatchObject({ status: 429, retryAfterSeconds: 5 });
  expect(passed("192.0.2.7", {}).count).toBe(AT_ONCE);
  expect(passed("192.0.2.7", { "content-length": "100" }).count).toBe(1000);
});

test("addresses do not share, and this machine's has no limit", () => {
  const allowance = addressAllowance(() => 0);
  expect(passed("192.0.2.7", {}, allowance).count).toBe(AT_ONCE);
  expect(passed("192.0.2.8", {}, allowance).count).toBe(AT_ONCE);
  expect(passed("127.0.0.1", {}, allowance).count).toBe(1000);
});
