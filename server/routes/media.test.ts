import { EventEmitter, once } from "node:events";
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packagedFilm } from "../films/film.ts";
import { FilmShelf } from "../films/film-shelf.ts";
import { CANARY, getRaw, startSampleApp, temporaryFolder } from "../sample-app.ts";

test.each([
  ["manifest.mpd", "application/dash+xml"],
  ["init-v0.m4s", "video/iso.segment"],
  ["seg-v0-00001.m4s", "video/iso.segment"],
])("%s has the type %s and an ETag", async (name, type) => {
  const { url, port } = await startSampleApp();
  const response = await fetch(`${url}/media/${name}`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe(type);
  expect(response.headers.get("cache-control")).toBe("no-cache");
  const etag = response.headers.get("etag") ?? "";
  expect(etag).not.toBe("");
  const again = await getRaw(port, `/media/${name}`, { "If-None-Match": etag });
  expect(again.status).toBe(304);
});

test.each([
  ["bytes=2-4", 206, "234", "bytes 2-4/10"],
  ["bytes=7-", 206, "789", "bytes 7-9/10"],
  ["bytes=-1", 206, "9", "bytes 9-9/10"],
  ["bytes=10-", 416, "", "bytes */10"],
])("range %s of ten bytes is answered %i", async (range, status, body, contentRange) => {
  const { url } = await startSampleApp();
  const response = await fetch(`${url}/media/seg-v0-00001.m4s`, { headers: { Range: range } });
  expect(response.status).toBe(status);
  expect(response.headers.get("content-range")).toBe(contentRange);
  if (status === 206) expect(await response.text()).toBe(body);
});

test.each([
  "/media",
  "/media/",
  "/media/presentation.json",
  "/media/.hidden.m4s",
  "/media/../secret.txt",
  "/media/..%2fsecret.txt",
  "/media/%2e%2e%2fsecret.txt",
  "/media/%252e%252e%252fsecret.txt",
  "/media/..\\secret.txt",
  "/media/..%5csecret.txt",
  "/media//secret.txt",
  "/media/../media-other/seg-v0-00001.m4s",
  "/media-other/seg-v0-00001.m4s",
  "/media/seg-v0-00001.m4s%00.mpd",
  "/media/%ff.m4s",
  `/media/${"a".repeat(300)}.m4s`, // longer than a file's name can be
])("%s is not found", async (path) => {
  const { port } = await startSampleApp();
  const { status, body } = await getRaw(port, path);
  expect([status, body.includes(CANARY)]).toEqual([404, false]);
});

test("a film that was not measured has no quality, which is no error", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "manifest.mpd"), "film");
  const films = new FilmShelf([packagedFilm({ directory: folder, title: "Film", durationSeconds: 4 })]);
  const { url } = await startSampleApp({ films });
  const statusOf = async (path: string) => (await fetch(`${url}${path}`)).status;
  expect([await statusOf("/media/quality.json"), await statusOf("/media/none.mpd")]).toEqual([204, 404]);
});

test("each further film has its own folder, and only its media are served", async () => {
  const folders = ["first", "second"].map((name) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "manifest.mpd"), name);
    writeFileSync(join(folder, "letter.txt"), CANARY);
    writeFileSync(join(folder, "quality.json"), `{"of":"${name}"}`);
    return folder;
  });
  const [first = "", second = ""] = folders;
  const films = new FilmShelf([
    packagedFilm({ directory: first, title: "First", durationSeconds: 4 }),
    { ...packagedFilm({ directory: second, title: "Second", durationSeconds: 4 }), manifest: "manifest.mpd" },
  ]);
  const { url } = await startSampleApp({ films });
  const config = (await (await fetch(`${url}/api/config`)).json()) as { films: { manifestUrl: string }[] };
  const urls = config.films.map(({ manifestUrl }) => manifestUrl);
  expect(urls).toEqual(["/media/manifest.mpd", "/media/second/manifest.mpd"]);
  for (const [place, name] of ["first", "second"].entries())
    expect(await (await fetch(`${url}${urls[place]}`)).text()).toBe(name);
  const quality = await fetch(`${url}/media/second/quality.json`);
  expect([quality.headers.get("content-type"), await quality.json()]).toEqual([
    "application/json",
    { of: "second" },
  ]);
  for (const path of ["/media/second/letter.txt", "/media/first/manifest.mpd", "/media/second/../letter.txt"])
    expect((await fetch(`${url}${path}`)).status).toBe(404);
});

test("a film that is packaged while it is watched goes on where its files have moved", async () => {
  const folder = temporaryFolder();
  const growing = join(folder, ".partial");
  mkdirSync(growing);
  writeFileSync(join(growing, "manifest.mpd"), "growing");
  const film = { presentDirectory: growing };
  const named = packagedFilm({ directory: growing, title: "Film", durationSeconds: 4 });
  const films = new FilmShelf([
    Object.defineProperties({ ...named }, { presentDirectory: { get: () => film.presentDirectory } }),
  ]);
  const { url } = await startSampleApp({ films });
  const get = async () => (await fetch(`${url}/media/manifest.mpd`)).status;
  expect(await get()).toBe(200);
  renameSync(growing, join(folder, "film"));
  symlinkSync(join(folder, "film"), growing);
  film.presentDirectory = join(folder, "film");
  expect(await get()).toBe(200);
});

test("a film that waits for a file is told when nobody waits any more", async () => {
  const film = packagedFilm({ directory: temporaryFolder(), title: "Growing", durationSeconds: 4 });
  const asking = new EventEmitter();
  const asked = once(asking, "for a file");
  const prepare = async (_path: string, _address: string, leaving = AbortSignal.abort()) => {
    asking.emit("for a file", leaving);
    await once(leaving, "abort");
    asking.emit("for none");
  };
  const { url } = await startSampleApp({ films: new FilmShelf([{ ...film, prepare }]) });
  const viewer = new AbortController();
  const answer = fetch(`${url}/media/seg-v0-00009.m4s`, { signal: viewer.signal });
  await expect(asked).resolves.toMatchObject([{ aborted: false }]);
  const left = once(asking, "for none");
  viewer.abort();
  await expect(answer).rejects.toThrow();
  await left;
});
