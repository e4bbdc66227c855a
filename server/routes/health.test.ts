import { expect, test } from "vitest";
import { startSampleApp } from "../sample-app.ts";

test("healthy while the transport runs", async () => {
  const { url } = await startSampleApp();
  const response = await fetch(`${url}/healthz`);
  expect([response.status, await response.json()]).toEqual([200, { status: "ok" }]);
});

test("unavailable while the transport is away", async () => {
  const { url } = await startSampleApp({ transport: () => null });
  const response = await fetch(`${url}/healthz`);
  expect([response.status, await response.json()]).toEqual([503, { status: "transport away" }]);
});
