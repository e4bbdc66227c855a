import { request } from "node:https";
import { expect, onTestFinished, test } from "vitest";
import { RawClient } from "../connections/raw-client.ts";
import { HTTP_LIMITS, listen } from "../http-server.ts";
import { temporaryFolder } from "../sample-app.ts";
import { makeCertificate } from "../testdata/make-certificate.ts";
import { type CertificatePair, readPair } from "./certificate-pair.ts";

/** Of all tests here: to make one takes longer than all else. */
let pair: CertificatePair | null = null;

async function listenWithTls(limits = HTTP_LIMITS): Promise<number> {
  pair ??= readPair(makeCertificate(temporaryFolder()));
  const server = await listen(
    (sent, response) => void sent.pipe(response),
    { host: "127.0.0.1", port: 0 },
    limits,
    pair,
  );
  onTestFinished(() => server.close());
  return server.port;
}

async function answerTo(port: number, text: string): Promise<string> {
  const client = await RawClient.open(port);
  client.socket.write(text);
  await client.closed();
  return client.heard;
}

test("who has typed no https:// is led to it, for this time alone", async () => {
  const port = await listenWithTls();
  const answer = await answerTo(port, `GET /?film=a HTTP/1.1\r\nHost: 192.168.1.5:${port}\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 307 /);
  expect(answer).toContain(`\r\nLocation: https://192.168.1.5:${port}/?film=a\r\n`);
  expect(answer).toContain("\r\nCache-Control: no-store\r\n");
  expect(answer).toContain(`open https://192.168.1.5:${port}/?film=a\n`);
});

test.each([
  ["names no host", "GET / HTTP/1.0\r\n\r\n"],
  ["names none that can be", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n"],
  ["asks as of a proxy", "GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n"],
])("who %s is told in a sentence", async (_what, text) => {
  const answer = await answerTo(await listenWithTls(), text);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain("begin the address with https://");
});

test("what is neither is refused", async () => {
  expect(await answerTo(await listenWithTls(), "SSH-2.0-x\r\n")).toMatch(/^HTTP\/1\.1 400 /);
});

test.each([
  ["nothing", ""],
  ["half a request", "GET / HTTP/1.1\r\n"],
])("who sends %s is not waited for", async (_what, text) => {
  const port = await listenWithTls({ ...HTTP_LIMITS, headersTimeoutMs: 50 });
  expect(await answerTo(port, text)).toBe("");
});

test("over TLS a request comes whole, however it is cut", async () => {
  const port = await listenWithTls();
  const body = "x".repeat(1_000_000);
  const answer = await new Promise<string>((resolve, reject) => {
    const sent = request(
      { port, host: "127.0.0.1", method: "POST", rejectUnauthorized: false, agent: false },
      (response) => {
        let heard = "";
        response.setEncoding("latin1");
        response.on("data", (part: string) => {
          heard += part;
        });
        response.on("end", () => resolve(heard));
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
  expect(answer).toBe(body);
});
