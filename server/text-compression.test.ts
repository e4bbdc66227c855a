import { writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startSampleApp } from "./sample-app.ts";

const TEXT = "nuwa ".repeat(1000);

/** fetch would unpack the answer and hide how it came. */
function encodingOf(url: string, headers: Record<string, string>): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { headers, agent: false }, (response) => {
      response.resume();
      resolve(response.headers["content-encoding"]);
    })
      .on("error", reject)
      .end();
  });
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
