import type { Request, Response } from "express";
import { expect, test } from "vitest";
import { getRaw, startSampleApp } from "../sample-app.ts";
import { boundDocuments, DOCUMENT_LIMITS } from "./bound-documents.ts";

const { burst, perSecond } = DOCUMENT_LIMITS;

/** @returns what becomes of each request: undefined where it passes */
function errorsOf(handler: ReturnType<typeof boundDocuments>, ip: string, requests: number): unknown[] {
  const errors: unknown[] = [];
  const next = (error?: unknown) => errors.push(error);
  for (let each = 0; each < requests; each += 1)
    handler({ ip, ips: [], socket: {} } as unknown as Request, {} as Response, next);
  return errors;
}

test("an address asks for so many at once, and some each second", () => {
  let nowMs = 0;
  const handler = boundDocuments(() => nowMs);
  const errors = errorsOf(handler, "192.0.2.7", burst + 1);
  expect(errors.slice(0, burst)).toEqual(Array(burst).fill(undefined));
  expect(errors[burst]).toMatchObject({ status: 429, retryAfterSeconds: 1 });
  nowMs = 1000;
  expect(errorsOf(handler, "192.0.2.7", perSecond + 1).filter((error) => error !== undefined)).toHaveLength(
    1,
  );
});

test("addresses do not share, and this machine's has no limit", () => {
  const handler = boundDocuments(() => 0);
  errorsOf(handler, "192.0.2.7", burst + 1);
  expect(errorsOf(handler, "192.0.2.8", 1)).toEqual([undefined]);
  expect(errorsOf(handler, "127.0.0.1", 2 * burst)).toEqual(Array(2 * burst).fill(undefined));
});

test("the configuration is bounded, the page is not", async () => {
  const { port } = await startSampleApp({ trustedProxies: ["127.0.0.1"] });
  const headers = { "X-Forwarded-For": "192.0.2.7" };
  const below = () => getRaw(port, "/api/config/below", headers); // none is made, which would take longer
  const statuses = (await Promise.all(Array.from({ length: 2 * burst }, below))).map(({ status }) => status);
  expect(statuses).toContain(429);
  expect((await getRaw(port, "/", headers)).status).toBe(200);
});
