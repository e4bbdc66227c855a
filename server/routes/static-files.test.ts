import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import express from "express";
import { expect, onTestFinished, test } from "vitest";
import { errorHandler } from "../errors.ts";
import { FilmShelf } from "../films/film-shelf.ts";
import { listen } from "../http-server.ts";
import { createLog } from "../log.ts";
import { CANARY, startSampleApp, temporaryFolder } from "../sample-app.ts";
import { staticFiles, WITHOUT_FOLLOWING } from "./static-files.ts";

const SECRET = "secret.txt";

test.each([
  ["a segment", "media/seg-v0-00001.m4s", "/media/seg-v0-00001.m4s"],
  ["the page", "player/index.html", "/"],
  ["the page by its name", "player/index.html", "/index.html"],
  ["a script", "player/assets/index-abc123.js", "/assets/index-abc123.js"],
])(
  "%s that was replaced by a link is not followed, and served again once it is a file",
  async (_what, file, path) => {
    const { url, folder } = await startSampleApp();
    expect((await fetch(`${url}${path}`)).status).toBe(200);
    rmSync(join(folder, file));
    symlinkSync(join(folder, SECRET), join(folder, file));
    const linked = await fetch(`${url}${path}`);
    expect([linked.status, (await linked.text()).includes(CANARY)]).toEqual([404, false]);
    rmSync(join(folder, file));
    writeFileSync(join(folder, file), "again");
    expect(await (await fetch(`${url}${path}`)).text()).toBe("again");
  },
);

test("a folder that was replaced by a link is not followed", async () => {
  const { url, folder } = await startSampleApp();
  renameSync(join(folder, "player/assets"), join(folder, "elsewhere"));
  symlinkSync(join(folder, "elsewhere"), join(folder, "player/assets"));
  expect((await fetch(`${url}/assets/index-abc123.js`)).status).toBe(404);
});

test("a folder that is a link itself is the one that was asked for", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "manifest.mpd"), "<MPD/>");
  const link = join(temporaryFolder(), "film");
  symlinkSync(folder, link);
  const films = FilmShelf.ofOne({ directory: link, title: "Linked", durationSeconds: 4 });
  const { url } = await startSampleApp({ films });
  expect(await (await fetch(`${url}/media/manifest.mpd`)).text()).toBe("<MPD/>");
});

test("files of many parts come whole, more at once than are read at a time", async () => {
  const { url, folder } = await startSampleApp();
  const film = randomBytes(1_000_000);
  writeFileSync(join(folder, "media/seg-v0-00001.m4s"), film);
  const download = async () =>
    Buffer.from(await (await fetch(`${url}/media/seg-v0-00001.m4s`)).arrayBuffer());
  for (const came of await Promise.all(Array.from({ length: 8 }, download)))
    expect(came.equals(film)).toBe(true);
});

test("a file that becomes a link after it was looked at is not opened", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, SECRET), CANARY);
  symlinkSync(join(folder, SECRET), join(folder, "link.m4s"));
  const url = await served(express.static(folder, { redirect: false, ...WITHOUT_FOLLOWING }));
  const response = await fetch(`${url}/link.m4s`);
  expect(existsSync(join(folder, "link.m4s"))).toBe(true);
  expect([response.status, (await response.text()).includes(CANARY)]).toEqual([404, false]);
});

test("a folder that becomes a link after its file was looked at is not followed", async () => {
  const [folder, elsewhere] = [temporaryFolder(), temporaryFolder()];
  writeFileSync(join(elsewhere, "seg.m4s"), CANARY);
  mkdirSync(join(folder, "parts"));
  writeFileSync(join(folder, "parts/seg.m4s"), "a segment");
  const swap = () => {
    renameSync(join(folder, "parts"), join(folder, "aside"));
    symlinkSync(elsewhere, join(folder, "parts"));
  };
  const response = await fetch(`${await served(staticFiles(folder, { setHeaders: swap }))}/parts/seg.m4s`);
  expect([response.status, (await response.text()).includes(CANARY)]).toEqual([404, false]);
});

test("a file that is replaced by another after it was looked at is served", async () => {
  const folder = temporaryFolder();
  const [file, next] = [join(folder, "manifest.mpd"), join(folder, "manifest.tmp")];
  writeFileSync(file, "<MPD>1</MPD>");
  writeFileSync(next, "<MPD>2</MPD>");
  const url = await served(staticFiles(folder, { setHeaders: () => renameSync(next, file) }));
  expect(await (await fetch(`${url}/manifest.mpd`)).text()).toBe("<MPD>2</MPD>");
});

async function served(files: express.RequestHandler): Promise<string> {
  const app = express();
  app.use(files);
  app.use(errorHandler(createLog("error", () => undefined)));
  const server = await listen(app, { host: "127.0.0.1", port: 0 });
  onTestFinished(() => server.close());
  return `http://127.0.0.1:${server.port}`;
}
