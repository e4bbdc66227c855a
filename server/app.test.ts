import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { getRaw, startSampleApp, temporaryFolder } from "./sample-app.ts";

test.each([
  ["/", 200],
  ["/bulk.html", 200],
  ["/assets/index-abc123.js", 200],
  ["/media/manifest.mpd", 200],
  ["/media/none.m4s", 404],
  ["/api/config", 200],
  ["/api/none", 404],
  ["/healthz", 200],
  ["/none", 404],
  ["/%E0%A4%A", 404],
])("%s is answered %i, cross-origin isolated and without naming its maker", async (path, status) => {
  const { url } = await startSampleApp();
  const response = await fetch(`${url}${path}`);
  expect(response.status).toBe(status);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-embedder-policy": "require-corp",
    "cross-origin-resource-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "content-security-policy": expect.stringContaining("frame-ancestors 'none'"),
  });
  expect(response.headers.has("x-powered-by")).toBe(false);
});

test("an error of the server is logged with its reason and answered without", async () => {
  const { url, logLines } = await startSampleApp({
    transport: () => {
      throw new Error("reason 4711");
    },
  });
  const response = await fetch(`${url}/api/config`);
  expect(response.status).toBe(500);
  expect(response.headers.get("cross-origin-embedder-policy")).toBe("require-corp");
  expect(await response.json()).toEqual({
    error: { status: 500, reason: "Internal Server Error", field: null },
  });
  expect(logLines.join("")).toContain("reason 4711");
});

test("what is not there is answered in JSON to the API and in plain text elsewhere", async () => {
  const { url } = await startSampleApp();
  const fromApi = await fetch(`${url}/api/none`);
  expect(await fromApi.json()).toEqual({ error: { status: 404, reason: "Not Found", field: null } });
  const fromPage = await fetch(`${url}/<script>`);
  expect(fromPage.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(await fromPage.text()).toBe("404 Not Found\n");
});

describe("where the pages were built with one for refusals", () => {
  const BROWSER = { Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };

  async function start(): Promise<string> {
    const playerDirectory = temporaryFolder();
    writeFileSync(join(playerDirectory, "refused.html"), "<title>404 Not Found</title><p>404 Not Found</p>");
    const { url } = await startSampleApp({ playerDirectory, token: () => "t".repeat(16) });
    return url;
  }

  test("a browser is shown that page, and why", async () => {
    const url = await start();
    const missing = await fetch(`${url}/deep/none.html`, { headers: BROWSER });
    expect([
      missing.status,
      missing.headers.get("content-type"),
      missing.headers.get("cache-control"),
    ]).toEqual([404, "text/html; charset=utf-8", "no-store"]);
    expect(await missing.text()).toBe("<title>404 Not Found</title><p>404 Not Found</p>");
    const locked = await fetch(`${url}/unlock?token=old`, { headers: BROWSER });
    expect([locked.status, await locked.text()]).toEqual([
      401,
      "<title>401 this is not the token</title><p>401 this is not the token</p>",
    ]);
  });

  test("programs have a line of text, and the API's clients JSON", async () => {
    const url = await start();
    expect(await (await fetch(`${url}/none`)).text()).toBe("404 Not Found\n");
    const fromApi = await fetch(`${url}/api/none`, { headers: BROWSER });
    expect(await fromApi.json()).toEqual({ error: { status: 404, reason: "Not Found", field: null } });
  });

  test("who asked for another host gets none of this server's pages", async () => {
    const { port } = new URL(await start());
    const { status, body } = await getRaw(Number(port), "/", { ...BROWSER, Host: "evil.example" });
    expect(status).toBe(421);
    expect(body).toMatch(/^421 this is not a name of this server/);
  });
});

test("a client cannot forge a line of the log", async () => {
  const { port, logLines } = await startSampleApp({
    transport: () => {
      throw new Error("first\nsecond");
    },
  });
  await getRaw(port, "/api/config");
  expect(logLines).toHaveLength(1);
  expect(logLines[0]?.match(/\n/g)).toHaveLength(1);
});

test("a token is in no line of the log, also where it is right and the address is not", async () => {
  const { port, url, logLines } = await startSampleApp({ token: () => "the-right-token" });
  await fetch(`${url}/unlock?at=1&token=nearly-right&lane=2`);
  await getRaw(port, "/unlock?token=the-right-token", { Host: "evil.example" });
  expect(logLines).toEqual([
    expect.stringContaining("GET /unlock?at=1&token=(hidden)&lane=2 refused with 401"),
    expect.stringContaining("GET /unlock?token=(hidden) refused with 421"),
  ]);
});
