import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { CANARY, getRaw, startSampleApp, temporaryFolder } from "../sample-app.ts";

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

test.each(["/refused.html", "/./refused.html", "/%72efused.html"])(
  "what takes a refusal's place is no page by itself: %s",
  async (path) => {
    const playerDirectory = temporaryFolder();
    writeFileSync(join(playerDirectory, "refused.html"), "<title>404 Not Found</title>");
    const { port } = await startSampleApp({ playerDirectory });
    const { status, body } = await getRaw(port, path, { Accept: "text/html" });
    expect([status, body]).toEqual([404, expect.stringMatching(/^<title>404 /)]);
  },
);

const PLAIN = "plain ".repeat(1000);

function playerWith(assets: Readonly<Record<string, string>>): string {
  const directory = temporaryFolder();
  mkdirSync(join(directory, "assets"));
  for (const [name, content] of Object.entries(assets))
    writeFileSync(join(directory, "assets", name), content);
  return directory;
}

test.each([
  ["br, gzip", "br", "brotli"],
  ["gzip", "gzip", "zipped"],
  ["identity", undefined, PLAIN],
  ["deflate", undefined, PLAIN],
])(
  "to who takes %s an asset is sent as it was compressed when the page was built",
  async (accepted, encoding, content) => {
    const playerDirectory = playerWith({
      "index-abc123.js": PLAIN,
      "index-abc123.js.br": "brotli",
      "index-abc123.js.gz": "zipped",
    });
    const { url } = await startSampleApp({ playerDirectory });
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { "Accept-Encoding": accepted };
      get(`${url}/assets/index-abc123.js?v=1`, { headers, agent: false }, resolve).on("error", reject);
    });
    expect([answer.statusCode, await text(answer)]).toEqual([200, content]);
    expect(answer.headers).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
      vary: expect.stringContaining("Accept-Encoding"),
    });
    expect(answer.headers["content-encoding"]).toBe(encoding);
  },
);

const SPELLINGS = [
  "/assets/./index-abc123.js",
  "//assets//index-abc123.js",
  "/assets/%69ndex-abc123.js",
  "/assets%2Findex-abc123.js",
  "/x/../assets/index-abc123.js",
];

test.each(SPELLINGS)("an asset is not compressed anew for who spells its path as %s", async (path) => {
  const { port, folder } = await startSampleApp();
  writeFileSync(join(folder, "player", "assets", "index-abc123.js"), PLAIN);
  const { status, body } = await getRaw(port, path, { "Accept-Encoding": "br" });
  expect([status, body]).toEqual([200, PLAIN]);
});

test.each(SPELLINGS)("who spells an asset's path as %s gets what was compressed, too", async (path) => {
  const playerDirectory = playerWith({ "index-abc123.js": PLAIN, "index-abc123.js.br": "brotli" });
  const { port } = await startSampleApp({ playerDirectory });
  expect(await getRaw(port, path, { "Accept-Encoding": "br" })).toEqual({ status: 200, body: "brotli" });
});

test("what is told of an asset that is away, or shorter, is in no encoding", async () => {
  const playerDirectory = playerWith({ "index-abc123.js": PLAIN, "index-abc123.js.br": "brotli" });
  const { url } = await startSampleApp({ playerDirectory });
  const ask = async (range = "bytes=0-") => {
    const headers = { "Accept-Encoding": "br", Range: range };
    const answer = await fetch(`${url}/assets/index-abc123.js`, { headers });
    return [answer.status, await answer.text()];
  };
  expect(await ask("bytes=9999-")).toEqual([416, expect.stringMatching(/^416 /)]);
  for (const end of ["", ".br"]) rmSync(join(playerDirectory, "assets", `index-abc123.js${end}`));
  expect(await ask()).toEqual([404, "404 Not Found\n"]);
});
