import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { type IncomingHttpHeaders, request } from "node:http";
import { join } from "node:path";
import express, { type Response } from "express";
import { expect, onTestFinished, test } from "vitest";
import { RawClient } from "./connections/raw-client.ts";
import { ENCODER_LIMITS } from "./encoder-places.ts";
import { listen } from "./http-server.ts";
import { startSampleApp } from "./sample-app.ts";
import { textCompression } from "./text-compression.ts";

const TEXT = "nuwa ".repeat(1000);

/** fetch would unpack the answer and hide how it came. */
function headersOf(url: string, headers: Record<string, string>): Promise<IncomingHttpHeaders> {
  return new Promise((resolve, reject) => {
    request(url, { headers, agent: false }, (response) => {
      response.resume();
      resolve(response.headers);
    })
      .on("error", reject)
      .end();
  });
}

async function encodingOf(...of: Parameters<typeof headersOf>): Promise<string | undefined> {
  return (await headersOf(...of))["content-encoding"];
}

test.each([
  ["the page", "player/index.html", "/", "br, gzip", "br"],
  ["another page", "player/bulk.html", "/bulk.html", "gzip, deflate", "gzip"],
  ["a manifest", "media/manifest.mpd", "/media/manifest.mpd", "br", "br"],
  ["a page for whom nothing is asked", "player/index.html", "/", "identity", undefined],
  ["a segment", "media/seg-v0-00001.m4s", "/media/seg-v0-00001.m4s", "br, gzip", undefined],
])("%s is sent as %4$s", async (_what, file, path, accepted, encoding) => {
  const { url, folder } = await startSampleApp();
  writeFileSync(join(folder, file), TEXT);
  expect(await encodingOf(`${url}${path}`, { "Accept-Encoding": accepted })).toBe(encoding);
});

test("a part of a manifest is sent as it is, since its range counts the file's bytes", async () => {
  const { url, folder } = await startSampleApp();
  writeFileSync(join(folder, "media/manifest.mpd"), TEXT);
  const headers = { "Accept-Encoding": "br", Range: "bytes=0-2999" };
  expect(await encodingOf(`${url}/media/manifest.mpd`, headers)).toBeUndefined();
});

/** A server with as many answers under way as are compressed at a time; what comes of one more. */
async function behindCrowd(accepted: string) {
  const begun: Response[] = [];
  const app = express().use(textCompression());
  app.get("/long", (_request, response) => {
    response.type("text").write(TEXT);
    begun.push(response);
  });
  app.get("/", (_request, response) => void response.type("text").send(TEXT));
  const server = await listen(app, { host: "127.0.0.1", port: 0 });
  onTestFinished(() => server.close());
  for (let client = 0; client < ENCODER_LIMITS.atOnce; client += 1) {
    const { socket } = await RawClient.open(server.port);
    socket.write(`GET /long HTTP/1.1\r\nHost: x\r\nAccept-Encoding: ${accepted}\r\n\r\n`);
  }
  while (begun.length < ENCODER_LIMITS.atOnce) await new Promise(setImmediate);
  return {
    begun,
    headers: () => headersOf(`http://127.0.0.1:${server.port}/`, { "Accept-Encoding": "br" }),
  };
}

test("where too many answers are being compressed the next one is sent as it is, until one is over", async () => {
  const { begun, headers } = await behindCrowd("br");
  const asItIs = await headers();
  expect(asItIs["content-encoding"]).toBeUndefined();
  expect(asItIs.vary).toBe("Accept-Encoding");
  begun[0]?.end();
  if (begun[0]?.closed === false) await once(begun[0], "close");
  expect(await headers()).toMatchObject({ "content-encoding": "br", vary: "Accept-Encoding" });
});

test("answers that nobody wants compressed keep nobody else's from it", async () => {
  const { headers } = await behindCrowd("identity");
  expect((await headers())["content-encoding"]).toBe("br");
});
