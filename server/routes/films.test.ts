import { execFile } from "node:child_process";
import fs, {
  createReadStream,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import files, { readFile } from "node:fs/promises";
import { request } from "node:http";
import { syncBuiltinESMExports } from "node:module";
import { basename, dirname, join } from "node:path";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { expect, onTestFinished, test, vi } from "vitest";
import { findFfmpeg } from "../../media/find-ffmpeg.ts";
import { processSpace, startMark } from "../../media/process-life.mjs";
import { DroppedFilms } from "../films/drop/dropped-films.ts";
import { makeUploadFolder, withUpload } from "../films/drop/upload.ts";
import { packagedFilm } from "../films/film.ts";
import { FilmShelf } from "../films/film-shelf.ts";
import { ORIGIN, startSampleApp, temporaryFolder } from "../sample-app.ts";

vi.setConfig({ testTimeout: 60_000 });

async function startWithDrop(options: { mostBytes?: number; token?: string } = {}) {
  const root = join(temporaryFolder(), "films");
  const shelf = new FilmShelf([], root);
  const dropped = new DroppedFilms({ root, shelf, ...options });
  const token = () => options.token ?? null;
  const { url } = await startSampleApp({ films: shelf, dropped, token });
  const post = (
    name: string,
    body: string | Uint8Array<ArrayBuffer>,
    headers: Readonly<Record<string, string>> = {},
  ) =>
    fetch(`${url}/api/films?name=${encodeURIComponent(name)}`, {
      method: "POST",
      headers: { Origin: ORIGIN, ...headers },
      body,
    });
  return { url, root, shelf, post };
}

async function filmFile(seconds: number, name = "film.mkv"): Promise<string> {
  const path = join(temporaryFolder(), name);
  const source = `testsrc2=size=128x72:rate=25:duration=${seconds}`;
  await promisify(execFile)(await findFfmpeg(), [
    ...["-v", "error", "-f", "lavfi", "-i", source, "-c:v", "mpeg2video"],
    path,
  ]);
  return path;
}

async function film(seconds: number): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await readFile(await filmFile(seconds)));
}

test("a film is packaged while the answer tells of it, and then in the menu, also after a new start", async () => {
  const { url, root, post } = await startWithDrop();
  const answer = await post("../../My film.mkv", await film(1));
  const lines = (await answer.text())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines[0]).toMatchObject({ step: expect.stringMatching(/^encoding My film.mkv \(/), ratio: 0 });
  const { films } = (await (await fetch(`${url}/api/films`)).json()) as { films: { manifestUrl: string }[] };
  expect(films).toEqual([lines.at(-1).film]);
  expect(films[0]).toMatchObject({ name: "my-film", title: "My film", isElsewhere: false });
  expect(films[0]?.manifestUrl).toMatch(/^\/media\/dropped\/film-\w+\/manifest\.mpd$/);
  expect(await (await fetch(`${url}${films[0]?.manifestUrl}`)).text()).toContain("</MPD>");
  expect(readdirSync(root)).toHaveLength(1);

  const shelf = new FilmShelf([], root);
  const again = new DroppedFilms({ root, shelf });
  await again.open();
  expect(shelf.names).toEqual(["my-film"]);
});

test("what was left half-taken is removed at the next start, not what another server is taking", async () => {
  const root = join(temporaryFolder(), "films");
  const gone = 2 ** 22 + 1; // above the highest process id that Linux gives
  const space = processSpace();
  const others = `.upload@${space}@${process.ppid}@${startMark(process.ppid) ?? 0}@abc`;
  const ofAnotherContainer = `.upload@elsewhere@${process.pid}@5@abc`;
  const restsThere = `.upload@elsewhere@${process.pid}@5@old`;
  const left = [
    ".upload-unsigned",
    `.upload@${space}@${gone}@5@abc`,
    `.partial@${space}@${gone}@5@abc`,
    restsThere,
  ];
  for (const name of [...left, others, ofAnotherContainer]) mkdirSync(join(root, name), { recursive: true });
  const twoDaysAgo = Date.now() / 1000 - 2 * 86_400;
  utimesSync(join(root, restsThere), twoDaysAgo, twoDaysAgo);
  const own = await makeUploadFolder(root);
  await new DroppedFilms({ root, shelf: new FilmShelf([], root) }).open();
  expect(new Set(readdirSync(root))).toEqual(new Set([others, ofAnotherContainer, basename(own)]));
});

test("what a killed container left goes with the first upload after a day, too", async () => {
  const { root, post } = await startWithDrop();
  const left = join(root, ".upload@elsewhere@7@5@old");
  mkdirSync(left);
  const twoDaysAgo = Date.now() / 1000 - 2 * 86_400;
  utimesSync(left, twoDaysAgo, twoDaysAgo);
  await post("notes.txt", "these are notes");
  expect(readdirSync(root)).toEqual([]);
});

test("an upload is no other container's to remove however long it is encoded", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const body = Readable.from(["a film"]);
  const { signal } = new AbortController();
  const upload = {
    body,
    sizeBytes: null,
    name: "film.mkv",
    root: temporaryFolder(),
    mostBytes: 2000,
    signal,
  };
  await withUpload(upload, async (path) => {
    const startedMs = Date.now();
    for (const old of [path, dirname(path)]) utimesSync(old, 0, 0);
    vi.advanceTimersByTime(3_600_000);
    expect(statSync(dirname(path)).mtimeMs).toBeGreaterThan(startedMs - 1000);
  });
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  ["text", "these are notes", 422, /^ffmpeg cannot read notes.txt \(/],
  [
    "a list of files of this machine",
    "ffconcat version 1.0\nfile /etc/hostname\n",
    422,
    /^ffmpeg cannot read notes.txt \(/,
  ],
  ["what is too large", "x".repeat(2001), 413, /^a film may have /],
])("%s is refused in one sentence, and nothing is left", async (_what, body, status, sentence) => {
  const { root, post } = await startWithDrop({ mostBytes: 2000 });
  const answer = await post("notes.txt", body);
  expect(answer.status).toBe(status);
  const { error } = (await answer.json()) as { error: { reason: string } };
  expect(error.reason).toMatch(sentence);
  expect(error.reason).not.toContain(root);
  expect(readdirSync(root)).toEqual([]);
});

/** Until the test ends no folder can be made whose path has this in it. */
function fillDiskFor(part: string): void {
  const isFull = (path: unknown) => String(path).includes(part);
  const full = () => Promise.reject(Object.assign(new Error("ENOSPC"), { code: "ENOSPC" }));
  const { mkdir, mkdtemp } = files;
  const spies = [
    vi.spyOn(files, "mkdir").mockImplementation((...given) => (isFull(given[0]) ? full() : mkdir(...given))),
    vi.spyOn(files, "mkdtemp").mockImplementation((prefix) => (isFull(prefix) ? full() : mkdtemp(prefix))),
  ];
  syncBuiltinESMExports();
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
    syncBuiltinESMExports();
  });
}

test.each([".upload", ".partial"])("a disk without room for a folder %s is called full", async (part) => {
  const { root, post } = await startWithDrop();
  const body = await film(1);
  fillDiskFor(part);
  const answer = await post("film.mkv", body);
  expect([answer.status, await answer.text()]).toEqual([507, expect.stringMatching(/he disk is full: /)]);
  expect(readdirSync(root)).toEqual([]);
});

test("on a full disk a film is removed, and makes room", async () => {
  const { url, root, shelf, post } = await startWithDrop();
  await (await post("a.mkv", await film(1))).text();
  fillDiskFor(root);
  const removed = await fetch(`${url}/api/films/a`, { method: "DELETE", headers: { Origin: ORIGIN } });
  expect([removed.status, shelf.names, readdirSync(root)]).toEqual([204, [], []]);
});

test("a film whose name found no room has one by its title", async () => {
  const { root, post } = await startWithDrop();
  await (await post("My film.mkv", await film(1))).text();
  writeFileSync(join(root, readdirSync(root)[0] ?? "", "name"), "");
  const shelf = new FilmShelf([], root);
  await new DroppedFilms({ root, shelf }).open();
  expect(shelf.names).toEqual(["my-film"]);
});

test("a film whose name finds no room is in the menu nevertheless, also at the start of a server on a full disk", async () => {
  const { root, post } = await startWithDrop();
  fillDiskForNames();
  const told = await (await post("My film.mkv", await film(1))).text();
  expect(told.trim().split("\n").at(-1)).toContain('"film":{"name":"my-film"');
  const shelf = new FilmShelf([], root);
  await new DroppedFilms({ root, shelf }).open();
  expect(shelf.names).toEqual(["my-film"]);
});

/** Until the test ends no film's name can be written. */
function fillDiskForNames(): void {
  const { writeFileSync: writeAnyway } = fs;
  const spy = vi.spyOn(fs, "writeFileSync").mockImplementation((path, ...rest) => {
    if (String(path).endsWith("/name")) throw Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
    writeAnyway(path, ...rest);
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
}

test("what a film's file is called does not make the disk full", async () => {
  const { post } = await startWithDrop();
  expect((await post("diskworld.mp4", "no film")).status).toBe(422);
});

test("a second film of the same title has a number in the menu, the same film has not", async () => {
  const { shelf, post } = await startWithDrop();
  const first = await film(1);
  for (const body of [first, await film(2), first]) await (await post("Dune.mkv", body)).text();
  expect(shelf.films.map(({ title }) => title)).toEqual(["Dune", "Dune (2)"]);
});

test("films of one name keep theirs after a new start, also where one of them is gone", async () => {
  const { root, shelf, post } = await startWithDrop();
  for (const seconds of [1, 2, 3]) await (await post("video.mp4", await film(seconds))).text();
  const placesOf = ({ films }: FilmShelf) => films.map(({ name, title, place }) => [name, title, place]);
  const before = placesOf(shelf);
  const folders = shelf.films.map(({ place }) => join(root, "..", (place ?? "").replace("dropped", "films")));
  // Folders are named by their contents: whatever their order is, that of the menu is another one.
  for (const [index, folder] of folders.entries()) utimesSync(join(folder, "name"), index, index);
  const again = new FilmShelf([], root);
  await new DroppedFilms({ root, shelf: again }).open();
  expect(placesOf(again)).toEqual(before);
  const [video] = shelf.films;
  const beside = new FilmShelf(video === undefined ? [] : [{ ...video, place: "video" }], root);
  await new DroppedFilms({ root, shelf: beside }).open();
  expect(beside.names).toEqual(["video", "video-4", "video-2", "video-3"]);
  rmSync(folders[0] ?? "", { recursive: true });
  const without = new FilmShelf([], root);
  await new DroppedFilms({ root, shelf: without }).open();
  expect(without.names).toEqual(["video-2", "video-3"]);
});

test("a playlist is refused: it could have files of this machine shown", async () => {
  const { root, post } = await startWithDrop();
  const secret = await filmFile(1, "secret.ts");
  const playlist = [
    "#EXTM3U",
    "#EXT-X-TARGETDURATION:1",
    "#EXTINF:1,",
    `file://${secret}`,
    "#EXT-X-ENDLIST",
    "",
  ];
  const answer = await post("film.m3u8", playlist.join("\n"));
  expect([answer.status, await answer.text()]).toEqual([
    422,
    expect.stringContaining("ffmpeg cannot read film.m3u8 ("),
  ]);
  expect(readdirSync(root)).toEqual([]);
});

test("pages of others, and whoever does not have the token, add none", async () => {
  const { url, root, post } = await startWithDrop({ token: "x".repeat(20) });
  expect((await post("a.mkv", "a", { Origin: "https://evil.example" })).status).toBe(403);
  expect((await post("a.mkv", "a")).status).toBe(401);
  const config = (await (await fetch(`${url}/api/config`)).json()) as { takesFilms: boolean };
  expect(config.takesFilms).toBe(false);
  expect((await post("a.mkv", "a", { Authorization: `Bearer ${"x".repeat(20)}` })).status).toBe(422);
  expect(readdirSync(root)).toEqual([]);
});

test("a film that a viewer added is removed from menu and disk, and no other one", async () => {
  const { url, root, shelf, post } = await startWithDrop({ token: "x".repeat(20) });
  const withToken = { Authorization: `Bearer ${"x".repeat(20)}` };
  await (await post("a.mkv", await film(1), withToken)).text();
  shelf.add({ ...packagedFilm({ title: "Own", directory: root, durationSeconds: 1 }), place: "own" });
  const manifestUrl = shelf.entries[0]?.manifestUrl;
  const remove = async (name: string, headers: Readonly<Record<string, string>> = withToken) =>
    (await fetch(`${url}/api/films/${name}`, { method: "DELETE", headers: { Origin: ORIGIN, ...headers } }))
      .status;
  expect(await remove("a", {})).toBe(401);
  expect(await remove("a", { ...withToken, Origin: "https://evil.example" })).toBe(403);
  expect(await remove("own")).toBe(409);
  expect(await remove("b")).toBe(404);
  expect((await fetch(`${url}${manifestUrl}`)).status).toBe(200);
  expect(await remove("a")).toBe(204);
  expect(shelf.names).toEqual(["own"]);
  expect((await fetch(`${url}${manifestUrl}`)).status).toBe(404);
  expect(readdirSync(root)).toEqual([]);
  expect(await remove("a")).toBe(404);
});

test("a film that is removed while the same one comes again leaves neither a file nor a line in the menu", async () => {
  const { root, shelf, post } = await startWithDrop();
  const path = await filmFile(1);
  await (await post("film.mkv", new Uint8Array(await readFile(path)))).text();
  const dropped = new DroppedFilms({ root, shelf });
  const removals: Promise<void>[] = [];
  const status = await dropped
    .take({
      name: "film.mkv",
      sizeBytes: null,
      body: createReadStream(path),
      onProgress: () => removals.push(dropped.remove("film")),
      signal: new AbortController().signal,
    })
    .then(
      () => 200,
      (error: { status?: number }) => error.status,
    );
  expect([200, 409], "whichever is first").toContain(status);
  await Promise.all(removals);
  expect([removals.length, shelf.names, readdirSync(root)]).toEqual([1, [], []]);
});

test("a film whose folder was removed by hand leaves the menu, too", async () => {
  const { url, root, shelf, post } = await startWithDrop();
  await (await post("a.mkv", await film(1))).text();
  rmSync(join(root, readdirSync(root)[0] ?? ""), { recursive: true });
  const removed = await fetch(`${url}/api/films/a`, { method: "DELETE", headers: { Origin: ORIGIN } });
  expect([removed.status, shelf.names, readdirSync(root)]).toEqual([204, [], []]);
});

test("whoever leaves cancels, and the next one is taken; two at once are not", async () => {
  const { url, root, post } = await startWithDrop();
  const long = await film(300);
  const sent = request(`${url}/api/films?name=long.mkv`, { method: "POST", headers: { Origin: ORIGIN } });
  sent.on("error", () => undefined);
  await new Promise<void>((resolve) => {
    sent.on("response", (response) => response.once("data", () => resolve()));
    sent.end(long);
  });
  const mayBeSentAfter = async () =>
    ((await (await fetch(`${url}/api/films`)).json()) as { retryAfterSeconds: number | null })
      .retryAfterSeconds;
  const refused = await post("b.mkv", "b");
  expect([refused.status, refused.headers.get("Retry-After"), await mayBeSentAfter()]).toEqual([409, "3", 3]);
  sent.destroy();
  await vi.waitFor(() => expect(readdirSync(root)).toEqual([]), { timeout: 10_000 });
  await vi.waitFor(async () => expect(await mayBeSentAfter()).toBeNull());
  expect((await post("b.mkv", "b")).status).toBe(422);
});

test("the answer goes on while a percent of a long film takes minutes", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const { take } = slowPackaging();
  const { url } = await startSampleApp({
    dropped: { retryAfterSeconds: null, take } as unknown as DroppedFilms,
  });
  const answer = await fetch(`${url}/api/films?name=a.mkv`, { method: "POST", headers: { Origin: ORIGIN } });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  const read = async () => (await reader?.read())?.value;
  expect(await read()).toBe('{"step":"encoding","ratio":0}\n');
  for (let times = 0; times < 2; times += 1) {
    vi.advanceTimersByTime(20_000);
    expect(await read()).toBe('{"step":"encoding","ratio":0.004}\n');
  }
  await reader?.cancel();
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(0));
});

/** Of a film that is far from its first percent. */
function slowPackaging(): Pick<DroppedFilms, "take"> {
  return {
    take: ({ onProgress, signal }) => {
      for (const ratio of [0, 0.004]) onProgress({ step: "encoding", ratio });
      return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    },
  };
}
