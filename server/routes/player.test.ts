import { expect, test } from "vitest";
import { CANARY, getRaw, startSampleApp } from "../sample-app.ts";

test("the page is asked for again each time; what has a hash in its name is kept for good", async () => {
  const { url } = await startSampleApp();
  const page = await fetch(url);
  expect(await page.text()).toContain("nuwa-stream");
  expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(page.headers.get("cache-control")).toBe("no-cache");
  const script = await fetch(`${url}/assets/index-abc123.js`);
  expect(script.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  expect(script.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
});

test.each([
  "/.env",
  "/../secret.txt",
  "/..%2fsecret.txt",
  "/%2e%2e/secret.txt",
  "/assets/../../secret.txt",
  "/assets/..%5c..%5csecret.txt",
  "/%00.html",
  "//secret.txt",
])("%s shows nothing from outside the player", async (path) => {
  const { port } = await startSampleApp();
  const { status, body } = await getRaw(port, path);
  expect([400, 404]).toContain(status);
  expect(body).not.toContain(CANARY);
});
