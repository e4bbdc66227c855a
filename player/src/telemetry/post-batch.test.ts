import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { postBatch } from "./post-batch.ts";
import { CMCD_VERSION, SCHEMA_VERSION, type TelemetryBatch } from "./vocabulary.ts";

const NOTHING: TelemetryBatch = {
  ...{ schema: SCHEMA_VERSION, v: CMCD_VERSION, cid: "film", sf: "d", st: "v", dropped: 0, events: [] },
};

test("a server that does not answer is asked again later", async () => {
  const neverAnswers: typeof fetch = (_url, init) =>
    new Promise((_, reject) => {
      init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
    });
  const sent = await postBatch(neverAnswers, "sid", NOTHING, { keepalive: false, answerMs: 1 });
  expect(sent).toEqual({ kind: "later", afterMs: 0 });
});

test("a login page that a proxy sends the batch on to has not accepted it", async () => {
  const server = createServer((request, response) => {
    if (request.url === "/login") response.end("<title>Log in</title>");
    else response.writeHead(302, { Location: "/login" }).end();
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const send: typeof fetch = (path, init) => fetch(`http://127.0.0.1:${port}${String(path)}`, init);
  expect(await postBatch(send, "sid", NOTHING, { keepalive: false })).toEqual({ kind: "later", afterMs: 0 });
});
