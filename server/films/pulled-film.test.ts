import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startSampleApp, temporaryFolder } from "../sample-app.ts";
import { FilmShelf } from "./film-shelf.ts";
import { PULL_LIMITS, pulledFilm } from "./pulled-film.ts";
import { fetchManifest } from "./remote-film.ts";
import { mpd, SEGMENTED } from "./sample-manifest.ts";
import { ok, startOrigin } from "./sample-origin.ts";

const { signal } = new AbortController();

type Answers = Parameters<typeof startOrigin>[0];

async function pull(
  answers: Answers,
  { limits = PULL_LIMITS, attributes = undefined as string | undefined } = {},
) {
  const origin = await startOrigin({ "/films/a/film.mpd": ok(mpd(SEGMENTED, attributes)), ...answers });
  const remote = await fetchManifest(`${origin.url}/films/a/film.mpd`, signal);
  let nowMs = Date.now();
  const film = pulledFilm(remote, { root: temporaryFolder(), taken: [], signal, limits, nowMs: () => nowMs });
  const { url } = await startSampleApp({ films: new FilmShelf([film]) });
  const wait = (ms: number) => {
    nowMs += ms;
  };
  return { ...origin, film, folder: film.directory ?? "", media: `${url}/media/film`, wait };
}

test("a file is fetched once, when it is first asked for, into the folder that the media server has", async () => {
  const { film, folder, media, asked } = await pull({ "/films/a/v/seg-1.m4s": ok("media") });
  expect(film).toMatchObject({ name: "film", manifest: "manifest.mpd", isPackagedHere: false });
  const answers = await Promise.all(
    ["HEAD", "GET", "GET"].map((method) => fetch(`${media}/v/seg-1.m4s?any=1`, { method })),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await answers[1]?.text()).toBe("media");
  expect(readFileSync(join(folder, "v/seg-1.m4s"), "utf8")).toBe("media");
  expect(await (await fetch(`${media}/manifest.mpd`)).text()).toContain("<MPD");
  expect(asked).toEqual(["/films/a/film.mpd", "/films/a/v/seg-1.m4s"]);
});

test.each([
  "../b/seg-1.m4s",
  "%2e%2e/b/seg-1.m4s",
  "..%2fb/seg-1.m4s",
  "notes.txt",
  ".hidden.m4s",
  "a\\b.m4s",
  "http:%2f%2f127.0.0.1:1%2fa.m4s",
])("%s is not asked of the other server", async (path) => {
  const { film, media, asked } = await pull({ "/films/b/seg-1.m4s": ok("other") });
  expect((await fetch(`${media}/${path}`)).status).toBeGreaterThanOrEqual(404);
  await expect(film.prepare?.("../b/seg-1.m4s")).rejects.toThrow("Not Found");
  expect(asked.filter((url) => !url.startsWith("/films/a/"))).toEqual([]);
});

test("nothing is followed, and what cannot be had is said", async () => {
  const { media, folder, asked } = await pull(
    {
      "/films/a/moved.m4s": (response) => response.writeHead(302, { Location: "/secret" }).end(),
      "/films/a/secret.m4s": (response) => response.writeHead(403).end(),
      "/films/a/large.m4s": ok("x".repeat(2000)),
      "/films/a/cut.m4s": (response) => {
        response.writeHead(200, { "Content-Length": "100" }).write("half");
        setImmediate(() => response.destroy());
      },
    },
    { limits: { ...PULL_LIMITS, fileBytes: 1000 } },
  );
  const status = async (name: string) => (await fetch(`${media}/${name}.m4s`)).status;
  expect(await Promise.all(["moved", "secret", "large", "cut", "none"].map(status))).toEqual([
    502, 502, 502, 502, 404,
  ]);
  expect(asked).not.toContain("/secret");
  expect(readdirSync(folder)).toEqual(["manifest.mpd"]);
});

test("what is kept and what waits has a limit", async () => {
  const limits = { ...PULL_LIMITS, fileBytes: 1000, totalBytes: 1500, atOnce: 1, waiting: 1 };
  const part = ok("x".repeat(800));
  const names = ["1", "2", "3"];
  const { media } = await pull(Object.fromEntries(names.map((name) => [`/films/a/${name}.m4s`, part])), {
    limits,
  });
  const answers = await Promise.all(names.map((name) => fetch(`${media}/${name}.m4s`)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 503, 507]);
});

test("a live manifest is fetched anew when it is a second old, another one never", async () => {
  for (const [type, times] of [
    ["dynamic", 2],
    ["static", 1],
  ] as const) {
    const { media, asked, wait } = await pull({}, { attributes: `type="${type}"` });
    await fetch(`${media}/manifest.mpd`);
    wait(1500);
    await fetch(`${media}/manifest.mpd`);
    expect(asked).toHaveLength(times);
  }
});

test.each([
  [`<BaseURL>http://cdn.example/</BaseURL>${SEGMENTED}`, "names http://cdn.example/, outside its folder: "],
  [`${SEGMENTED}<SegmentBase/>`, "keeps each representation in one file: "],
])("a manifest with %s cannot be pulled", async (period, sentence) => {
  const { url } = await startOrigin({ "/a.mpd": ok(mpd(period)) });
  const remote = await fetchManifest(`${url}/a.mpd`, signal);
  const root = temporaryFolder();
  expect(() => pulledFilm(remote, { root, taken: [], signal })).toThrow(sentence);
  expect(existsSync(join(root, "manifest.mpd"))).toBe(false);
});
