import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Refusal } from "../errors.ts";
import { startSampleApp, temporaryFolder } from "../sample-app.ts";
import { FilmShelf } from "./film-shelf.ts";
import { pulledFilm } from "./pulled-film.ts";
import { PULL_LIMITS, type PullLimits } from "./puller.ts";
import { fetchManifest } from "./remote-film.ts";
import { largeDisk } from "./sample-disk.ts";
import { mpd, SEGMENTED } from "./sample-manifest.ts";
import { ok, startOrigin } from "./sample-origin.ts";

const { signal } = new AbortController();
const OWN = "127.0.0.1";

type Answers = Parameters<typeof startOrigin>[0];

interface PullOptions {
  readonly limits?: PullLimits;
  readonly attributes?: string;
  readonly otherwise?: Parameters<typeof startOrigin>[1];
}

async function pull(answers: Answers, { limits = PULL_LIMITS, attributes, otherwise }: PullOptions = {}) {
  const manifest = { "/films/a/film.mpd": ok(mpd(SEGMENTED, attributes)) };
  const origin = await startOrigin({ ...manifest, ...answers }, otherwise);
  const remote = await fetchManifest(`${origin.url}/films/a/film.mpd`, signal);
  let nowMs = 0;
  const root = temporaryFolder();
  const film = pulledFilm(remote, { root, disk: largeDisk(), taken: [], signal, limits, nowMs: () => nowMs });
  const { url } = await startSampleApp({ films: new FilmShelf([film]) });
  const wait = (ms: number) => {
    nowMs += ms;
  };
  return { ...origin, root, film, folder: film.directory ?? "", media: `${url}/media/film`, wait };
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
  await expect(film.prepare?.("../b/seg-1.m4s", OWN)).rejects.toThrow("Not Found");
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

test("what is kept and what waits has a limit, and what was not used for longest makes room", async () => {
  const limits = {
    ...PULL_LIMITS,
    fileBytes: 1000,
    totalBytes: 1500,
    leastBytes: 100,
    atOnce: 1,
    waiting: 1,
  };
  const part = ok("x".repeat(800));
  const names = ["1", "2", "3"];
  const { media, folder, wait } = await pull(
    Object.fromEntries(names.map((name) => [`/films/a/${name}.m4s`, part])),
    { limits },
  );
  const statusOf = async (name: string) => (await fetch(`${media}/${name}.m4s`)).status;
  expect((await Promise.all(names.map(statusOf))).sort()).toEqual([200, 503, 503]);
  wait(100_000);
  for (const name of names) {
    expect(await statusOf(name)).toBe(200);
    wait(100_000);
  }
  expect(readdirSync(folder)).toEqual(["3.m4s", "manifest.mpd"]);
});

test("two addresses that ask for whatever they like leave room for a third", async () => {
  const held: (() => void)[] = [];
  const { film, asked } = await pull(
    {
      "/films/a/v/seg-1.m4s": ok("media"),
      "/films/a/v/seg-2.m4s": ok("media"),
    },
    { otherwise: (response) => held.push(() => response.writeHead(404).end()) },
  );
  const outcomes: string[] = [];
  for (const address of ["192.0.2.1", "2001:db8::1"])
    for (let number = 0; number < 64; number += 1)
      film.prepare?.(`random-${address.length}-${number}.m4s`, address).catch((error: Refusal) => {
        outcomes.push(String(error.status));
      });
  await film.prepare?.("v/seg-1.m4s", "192.0.2.3");
  await film.prepare?.("v/seg-2.m4s", "192.0.2.3");
  expect(asked.filter((path) => path.includes("random"))).toHaveLength(2 * PULL_LIMITS.atOncePerAddress);
  const refused = 2 * (64 - PULL_LIMITS.atOncePerAddress) - PULL_LIMITS.waiting;
  expect(outcomes).toEqual(Array(refused).fill("503"));
  for (const answer of held) answer();
});

test("a part that many wait for is fetched once, whoever asked first", async () => {
  const limits = { ...PULL_LIMITS, atOnce: 1 };
  const { film, asked } = await pull(
    { "/films/a/1.m4s": ok("one"), "/films/a/2.m4s": ok("two") },
    { limits },
  );
  const addresses = ["192.0.2.1", "192.0.2.2", "192.0.2.2", "192.0.2.3"];
  await Promise.all(
    ["1.m4s", "2.m4s"].flatMap((path) => addresses.map((address) => film.prepare?.(path, address))),
  );
  expect(asked.slice(1).sort()).toEqual(["/films/a/1.m4s", "/films/a/2.m4s"]);
});

test.each([
  ["static", 9000, 10_000],
  ["dynamic", 180, 200],
])("of a %s film, a part that is not there is asked for once in a while", async (type, soonMs, laterMs) => {
  const { media, asked, wait } = await pull({}, { attributes: `type="${type}"` });
  const statusOf = async () => (await fetch(`${media}/none.m4s`)).status;
  expect([await statusOf(), await statusOf()]).toEqual([404, 404]);
  wait(soonMs);
  expect(await statusOf()).toBe(404);
  expect(asked).toHaveLength(2);
  wait(laterMs);
  expect(await statusOf()).toBe(404);
  expect(asked).toHaveLength(3);
});

test("of parts that are not there the newest are remembered", async () => {
  const { film, asked } = await pull({}, { limits: { ...PULL_LIMITS, absent: 10 } });
  const ask = async (number: number) => {
    await expect(film.prepare?.(`none-${number}.m4s`, OWN)).rejects.toThrow("Not Found");
  };
  for (let number = 0; number <= 10; number += 1) await ask(number);
  await ask(1);
  expect(asked).toHaveLength(1 + 11);
  await ask(0);
  expect(asked).toHaveLength(1 + 12);
});

test("after a restart the parts of a film whose manifest is the same are there", async () => {
  const first = await pull({ "/films/a/v/seg-1.m4s": ok("media") });
  await first.film.prepare?.("v/seg-1.m4s", OWN);
  const remote = await fetchManifest(`${first.url}/films/a/film.mpd`, signal);
  const again = pulledFilm(remote, { root: first.root, disk: largeDisk(), taken: [], signal });
  await again.prepare?.("v/seg-1.m4s", OWN);
  expect(first.asked.filter((path) => path.endsWith(".m4s"))).toHaveLength(1);
});

/** A live encoder that is started again numbers from one, at the same address. */
function encoderOf(attributes: (run: number) => string) {
  let run = 1;
  const answers: Answers = {
    "/films/a/film.mpd": (response) => response.end(mpd(SEGMENTED, attributes(run))),
    "/films/a/v/seg-1.m4s": (response) => response.end(`run ${run}`),
  };
  const startAgain = () => {
    run += 1;
  };
  return { answers, startAgain };
}

const startedAtMs = (ms: number) => `type="dynamic" availabilityStartTime="${new Date(ms).toISOString()}"`;
const startedInHour = (run: number) => `type="dynamic" availabilityStartTime="2026-11-27T0${run}:00:00Z"`;

test("of a live film whose encoder was started again no part of the former run is kept", async () => {
  const { answers, startAgain } = encoderOf(startedInHour);
  const { media, wait } = await pull(answers);
  const segment = async () => (await fetch(`${media}/v/seg-1.m4s`)).text();
  expect(await segment()).toBe("run 1");
  startAgain();
  wait(1500);
  await fetch(`${media}/manifest.mpd`);
  expect(await segment()).toBe("run 2");
});

test("an encoder that works out its start anew with each manifest has one run", async () => {
  const { answers, startAgain } = encoderOf((run) => startedAtMs(300 * run));
  const { media, wait, asked } = await pull(answers);
  for (let manifest = 1; manifest <= 5; manifest += 1) {
    startAgain();
    wait(1500);
    await fetch(`${media}/manifest.mpd`);
    await fetch(`${media}/v/seg-1.m4s`);
  }
  expect(asked.filter((url) => url.endsWith("seg-1.m4s"))).toHaveLength(1);
});

test("a part that was under way when the encoder was started again is fetched anew", async () => {
  const { answers, startAgain } = encoderOf(startedInHour);
  const asked: (() => void)[] = [];
  const { media, wait, film } = await pull(answers, {
    otherwise: (response) => asked.push(() => response.end(`answer ${asked.length}`)),
  });
  const part = film.prepare?.("v/seg-2.m4s", OWN);
  await expect.poll(() => asked).toHaveLength(1);
  startAgain();
  wait(1500);
  await fetch(`${media}/manifest.mpd`);
  asked[0]?.();
  await expect.poll(() => asked).toHaveLength(2);
  asked[1]?.();
  await part;
  expect(await (await fetch(`${media}/v/seg-2.m4s`)).text()).toBe("answer 2");
});

test("a part of the former run does not stay where the new one has not come so far", async () => {
  const { answers, startAgain } = encoderOf(startedInHour);
  const asked: ServerResponse[] = [];
  const { media, wait, film } = await pull(answers, { otherwise: (response) => asked.push(response) });
  const part = film.prepare?.("v/seg-2.m4s", OWN);
  await expect.poll(() => asked).toHaveLength(1);
  startAgain();
  wait(1500);
  await fetch(`${media}/manifest.mpd`);
  asked[0]?.end("run 1");
  await expect.poll(() => asked).toHaveLength(2);
  asked[1]?.writeHead(404).end();
  await expect(part).rejects.toMatchObject({ status: 404 });
  wait(1500);
  const later = fetch(`${media}/v/seg-2.m4s`);
  await expect.poll(() => asked).toHaveLength(3);
  asked[2]?.end("run 2");
  expect(await (await later).text()).toBe("run 2");
});

test("a part is not fetched for ever where each manifest is another encoder's", async () => {
  const { answers, startAgain } = encoderOf(startedInHour);
  const asked: string[] = [];
  const { media, wait, film } = await pull(answers, {
    otherwise: async (response, { url }) => {
      asked.push(url ?? "");
      startAgain();
      wait(1500);
      await fetch(`${media}/manifest.mpd`);
      response.end("a segment");
    },
  });
  await expect(film.prepare?.("v/seg-2.m4s", OWN)).rejects.toMatchObject({ status: 503 });
  expect(asked).toHaveLength(3);
});

test.each([
  ["live film", () => 'type="dynamic"'],
  ["film that was packaged anew", (run: number) => `type="static" mediaPresentationDuration="PT${run}M"`],
])("after a restart a %s begins with an empty folder", async (_, attributes) => {
  const { answers, startAgain } = encoderOf(attributes);
  const { film, url, root } = await pull(answers);
  await film.prepare?.("v/seg-1.m4s", OWN);
  startAgain();
  const again = pulledFilm(await fetchManifest(`${url}/films/a/film.mpd`, signal), {
    root,
    disk: largeDisk(),
    taken: [],
    signal,
  });
  await again.prepare?.("v/seg-1.m4s", OWN);
  expect(readFileSync(join(again.directory ?? "", "v/seg-1.m4s"), "utf8")).toBe("run 2");
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
  expect(() => pulledFilm(remote, { root, disk: largeDisk(), taken: [], signal })).toThrow(sentence);
  expect(existsSync(join(root, "manifest.mpd"))).toBe(false);
});
