import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findFfmpeg } from "./find-ffmpeg.ts";
import { GrowingFilm } from "./growing-film.ts";
import { parseManifest } from "./manifest.ts";
import type { EncodingProgress } from "./stays-ahead.ts";

const PACKAGING_MS = 120_000;
let folder: string;
let ffmpegPath: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "nuwa-growing-"));
  ffmpegPath = await findFfmpeg();
});

afterAll(() => rm(folder, { recursive: true }));

async function begin(
  seconds: number,
  signal?: AbortSignal,
  mayPlay?: (progress: EncodingProgress) => boolean,
) {
  const path = join(folder, `film-${seconds}.mkv`);
  const source = ["-f", "lavfi", "-i", `testsrc2=size=320x180:rate=25:duration=${seconds}`];
  const sound = ["-f", "lavfi", "-i", `sine=duration=${seconds}`];
  const codecs = ["-c:v", "mpeg4", "-b:v", "8M", "-c:a", "aac"];
  await promisify(execFile)(ffmpegPath, ["-v", "error", "-y", ...source, ...sound, ...codecs, path]);
  const outputRoot = join(folder, `out-${seconds}`);
  const options = { source: { kind: "file", path } as const, outputRoot, ffmpegPath, signal };
  return { options, outputRoot, film: await GrowingFilm.begin(options, mayPlay) };
}

it(
  "plays from its first segments on, and each segment of its manifest comes",
  async () => {
    const { film, options, outputRoot } = await begin(60);
    if (!(film instanceof GrowingFilm)) throw new Error("it was whole at once");
    const text = await readFile(join(film.directory, film.manifest), "utf8");
    expect([film.title, film.manifest]).toEqual(["film-60", "playing.mpd"]);
    expect(film.durationSeconds).toBeCloseTo(60, 1);
    expect(text).toMatch(/type="static"\s+mediaPresentationDuration="PT60\.0\d+S"/);
    const { representations } = parseManifest(text);
    expect(existsSync(join(film.directory, "seg-0-00030.m4s"))).toBe(false);
    for (const { id } of representations)
      expect(await film.comes(`seg-${id}-00030.m4s`, PACKAGING_MS)).toBe(true);
    const { folder: place } = film;
    const whole = await film.whole;
    expect([film.directory, film.manifest]).toEqual([whole.directory, "manifest.mpd"]);
    expect(await readdir(place)).toEqual(await readdir(whole.directory)); // by the link
    expect(await film.comes("seg-0-00031.m4s", PACKAGING_MS)).toBe(false);
    expect(await GrowingFilm.begin(options)).toMatchObject({ reused: true });
    expect(await readdir(outputRoot)).toHaveLength(2);
  },
  PACKAGING_MS,
);

it(
  "plays once it is as far as was asked for",
  async () => {
    const seen: EncodingProgress[] = [];
    const { film } = await begin(62, undefined, (progress) => {
      seen.push(progress);
      return progress.encodedSeconds >= 20;
    });
    if (!(film instanceof GrowingFilm)) throw new Error("it was whole at once");
    expect(existsSync(join(film.directory, "seg-0-00009.m4s"))).toBe(true);
    expect([film.isWhole, seen[0]?.encodedSeconds]).toEqual([false, 0]);
    expect(seen.at(-1)).toMatchObject({ wholeSeconds: film.durationSeconds });
    const elapsed = seen.map(({ elapsedSeconds }) => elapsedSeconds);
    expect(elapsed).toEqual(elapsed.toSorted((a, b) => a - b));
    await film.whole;
    expect(film.isWhole).toBe(true);
  },
  PACKAGING_MS,
);

it(
  "is its presentation where it was to play at its end alone",
  async () => {
    const isAtItsEnd = ({ encodedSeconds, wholeSeconds }: EncodingProgress) => encodedSeconds >= wholeSeconds;
    const { film, outputRoot } = await begin(4, undefined, isAtItsEnd);
    if (film instanceof GrowingFilm) throw new Error("it grows");
    expect(await readdir(outputRoot)).toEqual([basename(film.directory)]);
    expect(await readdir(film.directory)).not.toContain("playing.mpd");
  },
  PACKAGING_MS,
);

it(
  "is waited for by thousands whose time ends without holding up others",
  async () => {
    const stopping = new AbortController();
    const { film } = await begin(80, stopping.signal);
    if (!(film instanceof GrowingFilm)) throw new Error("it was whole at once");
    const before = process.cpuUsage();
    const leaving = Array.from({ length: 2000 }, () => new AbortController());
    const patient = leaving.map(({ signal }, number) => film.comes(`a-${number}.m4s`, PACKAGING_MS, signal));
    const brief = leaving.map((_, number) => film.comes(`b-${number}.m4s`, number));
    expect((await Promise.all(brief)).includes(true)).toBe(false);
    for (const one of leaving) one.abort();
    expect((await Promise.all(patient)).includes(true)).toBe(false);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(3); // where each end woke them all it took 30 s
    expect(await film.comes("never.m4s", PACKAGING_MS, leaving[0]?.signal)).toBe(false);
    stopping.abort(new Error("enough"));
    await expect(film.whole).rejects.toThrow("enough");
  },
  PACKAGING_MS,
);

it(
  "leaves nothing when it is aborted, and whoever waits is told",
  async () => {
    const stopping = new AbortController();
    const { film, outputRoot } = await begin(90, stopping.signal);
    if (!(film instanceof GrowingFilm)) throw new Error("it was whole at once");
    const waiting = film.comes("seg-0-99999.m4s", PACKAGING_MS);
    stopping.abort(new Error("changed my mind"));
    await expect(film.whole).rejects.toThrow("changed my mind");
    expect(await waiting).toBe(false);
    expect(await readdir(outputRoot)).toEqual([]);
  },
  PACKAGING_MS,
);
