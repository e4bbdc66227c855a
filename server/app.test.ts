import { expect, test } from "vitest";
import { getRaw, startSampleApp } from "./sample-app.ts";

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
