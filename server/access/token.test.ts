import { expect, onTestFinished, test } from "vitest";
import { createLog } from "../log.ts";
import { ServerMetrics } from "../metrics/server-metrics.ts";
import { ORIGIN, sampleLink, startSampleApp, temporaryFolder } from "../sample-app.ts";
import { SID, sampleBatch, sampleEvent } from "../telemetry/sample-telemetry.ts";
import { createTelemetry } from "../telemetry/telemetry.ts";
import { randomToken } from "./token.ts";

const TOKEN = randomToken();
const JSON_BY_OWN_PAGE = { Origin: ORIGIN, "Content-Type": "application/json" };

const PROTECTED = [
  ["PUT", "/api/link", '{"name":"none"}'],
  ["GET", "/api/telemetry/sessions", null],
  ["GET", "/api/telemetry/events.json", null],
  ["GET", `/api/telemetry/sessions/${SID}/events.csv`, null],
  ["GET", "/metrics", null],
] as const;

const ERASURE = ["DELETE", `/api/telemetry/sessions/${SID}`, null] as const;

const OPEN = [
  ["GET", "/", null],
  ["GET", "/media/manifest.mpd", null],
  ["GET", "/api/config", null],
  ["GET", "/api/link", null],
  ["GET", "/api/time", null],
  ["GET", "/healthz", null],
  ["GET", "/api/openapi.json", null],
  ["POST", `/api/telemetry/sessions/${SID}/events`, JSON.stringify(sampleBatch([sampleEvent(0)]))],
] as const;

async function start(token: string | null): Promise<string> {
  const telemetry = createTelemetry(
    temporaryFolder(),
    createLog("error", () => undefined),
  );
  onTestFinished(() => telemetry.store.close());
  const link = sampleLink({ kind: "relay" });
  return (await startSampleApp({ telemetry, metrics: new ServerMetrics(), link, token: () => token })).url;
}

async function ask(
  url: string,
  [method, path, body]: (typeof PROTECTED)[number] | (typeof OPEN)[number] | typeof ERASURE,
  headers = {},
) {
  const response = await fetch(`${url}${path}`, {
    method,
    body,
    headers: { ...JSON_BY_OWN_PAGE, ...headers },
  });
  await response.arrayBuffer();
  return response.status;
}

test("changes of the link and what is read of telemetry ask for the token, all else does not", async () => {
  const url = await start(TOKEN);
  for (const request of PROTECTED) {
    expect([request, await ask(url, request)]).toEqual([request, 401]);
    expect([request, await ask(url, request, { Authorization: "Bearer wrong" })]).toEqual([request, 401]);
    expect([request, await ask(url, request, { Cookie: "nuwa-token=wrong; nuwa-token" })]).toEqual([
      request,
      401,
    ]);
    expect([request, await ask(url, request, { Authorization: `Bearer ${TOKEN}` })]).toEqual([request, 200]);
    expect([request, await ask(url, request, { Cookie: `a=b; nuwa-token=${TOKEN}` })]).toEqual([
      request,
      200,
    ]);
  }
  for (const request of OPEN) expect([request, await ask(url, request)]).toEqual([request, 200]);
});

test("erasing a session asks for the token", async () => {
  const url = await start(TOKEN);
  expect(await ask(url, ERASURE)).toBe(401);
  expect(await ask(url, ERASURE, { Authorization: `Bearer ${TOKEN}` }), "there is none").toBe(404);
});

test("without a token none is asked for", async () => {
  const url = await start(null);
  for (const request of [...PROTECTED, ...OPEN])
    expect([request, await ask(url, request)]).toEqual([request, 200]);
  const unlocked = await fetch(`${url}/unlock`, { redirect: "manual" });
  expect([unlocked.status, unlocked.headers.get("set-cookie")]).toEqual([303, null]);
});

test("the token does not do in place of an origin", async () => {
  const url = await start(TOKEN);
  const headers = { Authorization: `Bearer ${TOKEN}`, Origin: "http://evil.example" };
  expect(await ask(url, PROTECTED[0], headers)).toBe(403);
});

test("the address with the token sets a cookie that no script reads and no other site sends, and leads to the page", async () => {
  const url = await start(TOKEN);
  const unlocked = await fetch(`${url}/unlock?token=${TOKEN}`, { redirect: "manual" });
  expect([unlocked.status, unlocked.headers.get("location")]).toEqual([303, "/"]);
  expect(unlocked.headers.get("set-cookie")).toBe(`nuwa-token=${TOKEN}; Path=/; HttpOnly; SameSite=Strict`);
  for (const query of ["", "?token=", "?token=wrong", `?token=${TOKEN}&token=${TOKEN}`]) {
    const refused = await fetch(`${url}/unlock${query}`, { redirect: "manual" });
    expect([refused.status, refused.headers.get("set-cookie")]).toEqual([401, null]);
  }
});

test("over TLS at a proxy the cookie never travels without it", async () => {
  const { url } = await startSampleApp({ token: () => TOKEN, trustedProxies: ["loopback"] });
  const headers = { "X-Forwarded-Proto": "https" };
  const unlocked = await fetch(`${url}/unlock?token=${TOKEN}`, { redirect: "manual", headers });
  expect(unlocked.headers.get("set-cookie")).toContain("; Secure");
});
