import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packagedFilm } from "../films/film.ts";
import { FilmShelf } from "../films/film-shelf.ts";
import { sampleLink, startSampleApp, temporaryFolder } from "../sample-app.ts";
import { startSampleTelemetry } from "../telemetry/sample-telemetry.ts";

test("healthy while the transport runs", async () => {
  const { url } = await startSampleApp();
  const response = await fetch(`${url}/healthz`);
  expect([response.status, await response.json()]).toEqual([
    200,
    { status: "ok", transport: "ok", newcomers: "ok", relay: null, films: "ok", telemetry: null },
  ]);
});

test("unavailable while the transport is away", async () => {
  const { url } = await startSampleApp({ transport: () => null });
  const response = await fetch(`${url}/healthz`);
  expect([response.status, await response.json()]).toEqual([
    503,
    {
      status: "transport away",
      transport: "away",
      newcomers: "ok",
      relay: null,
      films: "ok",
      telemetry: null,
    },
  ]);
});

test("unavailable while newcomers are shut out", async () => {
  const { url } = await startSampleApp({ letsNewcomersIn: () => false });
  const response = await fetch(`${url}/healthz`);
  expect([response.status, await response.json()]).toEqual([
    503,
    {
      status: "newcomers shut out",
      transport: "ok",
      newcomers: "shut out",
      relay: null,
      films: "ok",
      telemetry: null,
    },
  ]);
});

test("unavailable where the only film could not be encoded", async () => {
  const film = {
    ...packagedFilm({ directory: "/media", title: "Sample", durationSeconds: 4 }),
    isLost: true,
  };
  const { url } = await startSampleApp({ films: new FilmShelf([film]) });
  const response = await fetch(`${url}/healthz`);
  expect([response.status, await response.json()]).toMatchObject([
    503,
    { status: "films away", transport: "ok", films: "away" },
  ]);
});

test.each([
  [
    "relay",
    200,
    { status: "ok", transport: "ok", newcomers: "ok", relay: "ok", films: "ok", telemetry: null },
  ],
  [
    "away",
    503,
    { status: "relay away", transport: "ok", newcomers: "ok", relay: "away", films: "ok", telemetry: null },
  ],
] as const)("a link that is %s is told, too", async (kind, status, body) => {
  const { url } = await startSampleApp({ link: sampleLink({ kind }) });
  const response = await fetch(`${url}/healthz`);
  expect([response.status, await response.json()]).toEqual([status, body]);
});

test("telemetry that cannot be stored is told, and no reason to be unwell", async () => {
  const { get: askWell } = await startSampleTelemetry();
  expect(await (await askWell("/healthz")).json()).toMatchObject({ status: "ok", telemetry: "ok" });
  const folder = temporaryFolder();
  mkdirSync(join(folder, "telemetry.duckdb"));
  const { get, telemetry } = await startSampleTelemetry(folder);
  await telemetry.store.open();
  const response = await get("/healthz");
  expect([response.status, await response.json()]).toMatchObject([
    200,
    { status: "ok", telemetry: telemetry.store.problem?.kind },
  ]);
  expect(telemetry.store.problem).not.toBeNull();
});
