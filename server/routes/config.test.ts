import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { configProblem } from "../../player/src/options/server-config.ts";
import { makeSessionToken, TOKEN_LIFETIME_S } from "../access/session-token.ts";
import { LINK_LIMITS } from "../link/link-limits.ts";
import { getRaw, SAMPLE_LINK_STATE, sampleLink, startSampleApp, temporaryFolder } from "../sample-app.ts";

const SAMPLE_FILM = {
  name: "sample",
  title: "Sample",
  manifestUrl: "/media/manifest.mpd",
  durationSeconds: 4,
  isElsewhere: false,
  isPrepared: false,
  isAdded: false,
};

test("the configuration names transport, choices, defaults and film, and is never kept", async () => {
  const { url } = await startSampleApp();
  const response = await fetch(`${url}/api/config`);
  expect(response.headers.get("cache-control")).toBe("no-store");
  const told = await response.json();
  expect(configProblem(told)).toBeNull();
  expect(told).toEqual({
    protocolVersion: 1,
    transport: {
      url: "https://127.0.0.1:4433",
      certificateHashes: ["aGFzaA=="],
      laneUrls: ["https://127.0.0.1:4433", "https://127.0.0.1:4433"],
      workers: [{ url: "https://127.0.0.1:4433", certificateHashes: ["aGFzaA=="] }],
    },
    link: null,
    links: [],
    linkLimits: LINK_LIMITS,
    isLinkShared: false,
    schemes: [
      {
        name: "nuwa",
        title: "Nuwa",
        control: "receiver",
        family: "f",
        summary: "s",
        source: "p",
        policy: null,
        reads: ["target_delay_ms"],
      },
    ],
    schemesNotOffered: [{ name: "cubic", title: "CUBIC" }],
    presets: [
      {
        name: "on-demand",
        title: "On demand",
        target_delay_ms: 40,
        rho_ms: 20,
        k: 7,
        catches_up: false,
        follows_need: false,
        as_in_paper: false,
        summary: "s",
      },
    ],
    rules: [{ name: "nuwa", title: "NuwaRule", summary: "s" }],
    defaults: { scheme: "nuwa", preset: "on-demand", rule: "nuwa" },
    film: SAMPLE_FILM,
    films: [SAMPLE_FILM],
    mayChangeLink: false,
    cmcdCollector: null,
    takesTelemetry: false,
    takesFilms: false,
  });
});

test("whether a client may change the link depends on the link and the token", async () => {
  const mayChangeLink = async (options: Parameters<typeof startSampleApp>[0]) => {
    const { url } = await startSampleApp(options);
    return ((await (await fetch(`${url}/api/config`)).json()) as { mayChangeLink: boolean }).mayChangeLink;
  };
  const link = sampleLink({ kind: "relay" });
  expect(await mayChangeLink({ link })).toBe(true);
  expect(await mayChangeLink({ link, token: () => "x".repeat(20) })).toBe(false);
});

test("with a key every answer has a token that opens sessions for a minute", async () => {
  const sessionKey = Buffer.from("k".repeat(32));
  const { url } = await startSampleApp({ sessionKey });
  const asked = await fetch(`${url}/api/config`);
  const { transport } = (await asked.json()) as { transport: { sessionToken: string } };
  const expiresS = Number.parseInt(transport.sessionToken, 10);
  expect(transport.sessionToken).toBe(makeSessionToken(sessionKey, expiresS));
  expect(Math.abs(expiresS - Date.now() / 1000 - TOKEN_LIFETIME_S)).toBeLessThan(10);
});

test("a learned scheme without a policy is said to have none", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "owl.json"), "{}");
  const scheme = {
    title: "S",
    control: "sender",
    family: "f",
    summary: "Learns.",
    source: "p",
    reads: [],
  } as const;
  const schemes = (["owl", "aurora"] as const).map((name) => ({ ...scheme, name, policy: name }));
  const defaults = { scheme: "owl", preset: "on-demand" } as const;
  const registry = { schemes, presets: [], defaults };
  const { url } = await startSampleApp({ policyDirectory: folder, registry });
  expect(await (await fetch(`${url}/api/config`)).json()).toMatchObject({
    schemes: [
      { summary: "Learns." },
      { summary: "Learns. No policy has been trained for it yet: it runs its heuristic." },
    ],
  });
});

test("each request sees the transport of its moment", async () => {
  const ports = [4433, 5544];
  const { url } = await startSampleApp({
    transport: () => {
      const port = ports.shift();
      return port === undefined ? null : { host: "127.0.0.1", port, certificateHashes: [String(port)] };
    },
  });
  const transportNow = async () =>
    ((await (await fetch(`${url}/api/config`)).json()) as { transport: unknown }).transport;
  expect(await transportNow()).toMatchObject({ url: "https://127.0.0.1:4433", certificateHashes: ["4433"] });
  expect(await transportNow()).toMatchObject({ url: "https://127.0.0.1:5544", certificateHashes: ["5544"] });
  expect(await transportNow()).toBeNull();
});

test("of several workers the page is told the one with the fewest sessions, and of all", async () => {
  const worker = (port: number, sessions: number) => ({
    host: "127.0.0.1",
    port,
    certificateHashes: [`hash ${port}`],
    sessions,
  });
  const workers = [worker(4433, 5), worker(4434, 3)];
  const { url } = await startSampleApp({ transport: () => ({ ...worker(4433, 5), workers }) });
  const { transport } = (await (await fetch(`${url}/api/config`)).json()) as { transport: unknown };
  expect(transport).toEqual({
    url: "https://127.0.0.1:4434",
    certificateHashes: ["hash 4434"],
    laneUrls: ["https://127.0.0.1:4434", "https://127.0.0.1:4434"],
    workers: [
      { url: "https://127.0.0.1:4433", certificateHashes: ["hash 4433"] },
      { url: "https://127.0.0.1:4434", certificateHashes: ["hash 4434"] },
    ],
  });
});

test("a transport on every address is reached by the name that the page was asked for", async () => {
  const { port } = await startSampleApp({
    transport: () => ({ host: "0.0.0.0", port: 4433, certificateHashes: [] }),
    origins: () => ["http://192.0.2.7:8080"],
  });
  const answer = await getRaw(port, "/api/config", { Host: "192.0.2.7:8080" });
  expect(JSON.parse(answer.body)).toMatchObject({ transport: { url: "https://192.0.2.7:4433" } });
});

test("with an emulated link, sessions go through its lanes", async () => {
  const { url } = await startSampleApp({ link: sampleLink({ kind: "relay" }) });
  const config = await (await fetch(`${url}/api/config`)).json();
  expect(config).toMatchObject({
    transport: {
      url: "https://127.0.0.1:40001",
      certificateHashes: ["aGFzaA=="],
      laneUrls: ["https://127.0.0.1:40001", "https://127.0.0.1:40002"],
    },
    link: SAMPLE_LINK_STATE,
    links: [
      { name: "none", title: "No emulated link", summary: "s" },
      { name: "lte-like", title: "LTE", summary: "s" },
    ],
  });
});

test("a session never goes around an emulated link that is away", async () => {
  const { url } = await startSampleApp({ link: sampleLink({ kind: "away" }) });
  expect(await (await fetch(`${url}/api/config`)).json()).toMatchObject({ transport: null });
});

test.each([
  ["demo.example", {}],
  ["127.0.0.1:8080", { "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.9" }],
])("behind a proxy that asks for %s with %j the transport is at the public name", async (host, headers) => {
  const { port } = await startSampleApp({
    publicName: "demo.example",
    trustedProxies: ["loopback"],
    origins: () => ["http://127.0.0.1:8080", "https://demo.example"],
    transport: () => ({ host: "0.0.0.0", port: 4433, certificateHashes: [] }),
    link: sampleLink({ kind: "relay" }),
  });
  const { body } = await getRaw(port, "/api/config", { Host: host, ...headers });
  const laneUrls = ["https://demo.example:40001", "https://demo.example:40002"];
  expect(JSON.parse(body).transport).toMatchObject({ url: laneUrls[0], laneUrls });
});

test("whoever comes past the proxy, or where there is none, finds it where they asked for the page", async () => {
  const transport = () => ({ host: "0.0.0.0", port: 4433, certificateHashes: [] });
  for (const publicName of ["demo.example", null]) {
    const trustedProxies = publicName === null ? [] : ["loopback"];
    const { port } = await startSampleApp({ publicName, trustedProxies, transport });
    const forged = publicName === null ? { "X-Forwarded-Proto": "https" } : {};
    const { body } = await getRaw(port, "/api/config", { Host: "localhost:8080", ...forged });
    expect(JSON.parse(body).transport.url).toBe("https://127.0.0.1:4433");
  }
});
