import { expect, test } from "vitest";
import { sampleLink, startSampleApp } from "../sample-app.ts";

test("healthy while the transport runs", async () => {
  const { url } = await startSampleApp();
  const response = await fetch(`${url}/healthz`);
  expect([response.status, await response.json()]).toEqual([
    200,
    { status: "ok", transport: "ok", relay: null },
  ]);
});

test("unavailable while the transport is away", async () => {
  const { url } = await startSampleApp({ transport: () => null });
  const response = await fetch(`${url}/healthz`);
  expect([response.status, await response.json()]).toEqual([
    503,
    { status: "transport away", transport: "away", relay: null },
  ]);
});

test.each([
  ["relay", 200, { status: "ok", transport: "ok", relay: "ok" }],
  ["away", 503, { status: "relay away", transport: "ok", relay: "away" }],
] as const)("a link that is %s is told, too", async (kind, status, body) => {
  const { url } = await startSampleApp({ link: sampleLink({ kind }) });
  const response = await fetch(`${url}/healthz`);
  expect([response.status, await response.json()]).toEqual([status, body]);
});
