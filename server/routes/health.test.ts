import { expect, test } from "vitest";
import { sampleLink, startSampleApp } from "../sample-app.ts";

test("healthy while the transport runs", async () => {
  const { url } = await startSampleApp();
  const response = await fetch(`${url}/healthz`);
  expect([response.status, await response.json()]).toEqual([
    200,
    { status: "ok", transport: "ok", newcomers: "ok", relay: null },
  ]);
});

test("unavailable while the transport is away", async () => {
  const { url } = await startSampleApp({ transport: () => null });
  const response = await fetch(`${url}/healthz`);
  expect([response.status, await response.json()]).toEqual([
    503,
    { status: "transport away", transport: "away", newcomers: "ok", relay: null },
  ]);
});

test("unavailable while newcomers are shut out", async () => {
  const { url } = await startSampleApp({ letsNewcomersIn: () => false });
  const response = await fetch(`${url}/healthz`);
  expect([response.status, await response.json()]).toEqual([
    503,
    { status: "newcomers shut out", transport: "ok", newcomers: "shut out", relay: null },
  ]);
});

test.each([
  ["relay", 200, { status: "ok", transport: "ok", newcomers: "ok", relay: "ok" }],
  ["away", 503, { status: "relay away", transport: "ok", newcomers: "ok", relay: "away" }],
] as const)("a link that is %s is told, too", async (kind, status, body) => {
  const { url } = await startSampleApp({ link: sampleLink({ kind }) });
  const response = await fetch(`${url}/healthz`);
  expect([response.status, await response.json()]).toEqual([status, body]);
});
