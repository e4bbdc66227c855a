import { expect, test } from "vitest";
import { RawClient } from "../connections/raw-client.ts";
import { CANARY, getRaw, ORIGIN, startSampleApp } from "../sample-app.ts";

const ORIGINS = [ORIGIN, "http://127.0.0.1:8080", "http://[2001:db8::1]:8080", "https://films.example"];

async function statusFor(path: string, host: string): Promise<number> {
  const { port } = await startSampleApp({ origins: () => ORIGINS });
  const { status, body } = await getRaw(port, path, { Host: host });
  expect(body).not.toContain(CANARY);
  return status;
}

test.each([
  "localhost:8080",
  "LOCALHOST:8080",
  "localhost:9000",
  "127.0.0.1",
  "[2001:DB8:0::1]:8080",
  "films.example",
])("a request for %s is answered", async (host) => {
  expect(await statusFor("/", host)).toBe(200);
});

test.each([
  "evil.example:8080",
  "evil.example",
  "127.0.0.1.evil.example:8080",
  "localhost.:8080",
  "127.0.0.2:8080",
  "evil@localhost:8080",
  "localhost:8080/x",
  "localhost:port",
])('a request for "%s" is misdirected', async (host) => {
  expect(await statusFor("/", host)).toBe(421);
});

test.each([
  "/",
  "/media/manifest.mpd",
  "/api/config",
  "/api/link",
  "/healthz",
  "/metrics",
  "/api/none",
  "/none",
])("of another host not even %s is told", async (path) => {
  expect(await statusFor(path, "evil.example:8080")).toBe(421);
});

const ASKED = "Host: localhost:8080\r\nConnection: close\r\n\r\n";

async function answerTo(target: string): Promise<string> {
  const { port } = await startSampleApp({ origins: () => ORIGINS });
  const client = await RawClient.open(port);
  client.socket.write(`GET ${target} HTTP/1.1\r\n${ASKED}`);
  await client.closed();
  return client.heard;
}

test.each([
  "http://evil.example/",
  "http://evil.example",
  "HTTPS://evil.example:8080/media/manifest.mpd",
  "http://localhost:8080@evil.example/",
  "http://evil@localhost:8080/",
  "http:///",
  "ftp://evil.example/api/config",
])("a request whose target is %s is misdirected, though its Host is ours", async (target) => {
  expect(await answerTo(target)).toMatch(/^HTTP\/1\.1 421 /);
});

test.each([
  ["http://localhost:8080", "nuwa-stream"],
  ["http://127.0.0.1:8080/?film=a", "nuwa-stream"],
  ["HTTP://LocalHost/media/manifest.mpd", "<MPD/>"],
  ["https://films.example/media/seg-v0-00001.m4s", "0123456789"],
])("one whose target is %s is answered", async (target, content) => {
  const answer = await answerTo(target);
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(answer).toContain(content);
});

test("the target's host counts, whatever Host says", async () => {
  const { port } = await startSampleApp({ origins: () => ORIGINS });
  const client = await RawClient.open(port);
  client.socket.write(
    "GET http://localhost:8080/ HTTP/1.1\r\nHost: other.example\r\nConnection: close\r\n\r\n",
  );
  await client.closed();
  expect(client.heard).toMatch(/^HTTP\/1\.1 200 /);
});

test("what is refused below the API of an absolute target is told in JSON", async () => {
  expect(await answerTo("http://localhost:8080/api/none")).toContain('"status":404');
});

test("the refusal says what to do, and tells a stranger no address", async () => {
  const { port } = await startSampleApp({ origins: () => ORIGINS });
  const { body } = await getRaw(port, "/api/config", { Host: "evil.example" });
  expect(JSON.parse(body).error.reason).toContain("--origin");
  for (const origin of ORIGINS) expect(body).not.toContain(new URL(origin).hostname);
});

test("a request that names two hosts is refused, though both are ours", async () => {
  const { port } = await startSampleApp({ origins: () => ORIGINS });
  const client = await RawClient.open(port);
  client.socket.write(
    "GET / HTTP/1.1\r\nHost: localhost:8080\r\nHost: 127.0.0.1:8080\r\nConnection: close\r\n\r\n",
  );
  await client.closed();
  expect(client.heard).toMatch(/^HTTP\/1\.1 400 /);
});
