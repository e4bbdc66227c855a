import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { findFfmpeg } from "./find-ffmpeg.ts";
import { meansOfSegments, measureQuality } from "./measure-quality.ts";
import { MediaError } from "./media-error.ts";
import { packageFilm } from "./package-film.ts";
import type { Presentation } from "./presentation.ts";
import type { FilmQuality } from "./quality-file.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 }); // a slow machine with one core

const SMALL = [
  { longSide: 128, shortSide: 72, videoBitsPerSecond: 60_000 },
  { longSide: 320, shortSide: 180, videoBitsPerSecond: 900_000 },
];

let folder: string;
let ffmpegPath: string;
let source: { readonly kind: "file"; readonly path: string };
let film: Presentation;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "nuwa-quality-test-"));
  ffmpegPath = await findFfmpeg();
  source = { kind: "file", path: join(folder, "test.mkv") };
  const pictures = ["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=24:duration=3", "-c:v", "ffv1"];
  await promisify(execFile)(ffmpegPath, ["-v", "error", "-nostdin", ...pictures, source.path]);
  film = await packageFilm({
    source,
    outputRoot: folder,
    ffmpegPath,
    ladder: SMALL,
    keepsAllRungs: true,
  });
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** The film's folder, another one each time. */
async function copyOfFilm(name: string): Promise<string> {
  const copy = join(folder, name);
  await cp(film.directory, copy, { recursive: true });
  return copy;
}

it("measures each rung and segment, goes on with what is missing, and measures nothing twice", async () => {
  const directory = await copyOfFilm("measured");
  const ratios: number[] = [];
  const onProgress = ({ ratio }: { ratio: number }): number => ratios.push(ratio);
  const measured = await measureQuality({ directory, source, ffmpegPath, onProgress });
  expect(JSON.parse(await readFile(join(directory, "quality.json"), "utf8"))).toEqual(measured);
  expect(measured).toMatchObject({ film: "test", width: 320, height: 180, segmentSeconds: [2, 1] });
  const [low, high] = measured.rungs;
  expect([low?.bitsPerSecond, high?.bitsPerSecond]).toEqual([60_000, 900_000]);
  for (const segment of [0, 1]) {
    // A picture of a sixth of the pixels is plainly worse; at twice the bits it needs the large one is the source's equal.
    expect(high?.vmaf[segment]).toBeGreaterThan(80);
    expect(low?.vmaf[segment]).toBeLessThan((high?.vmaf[segment] ?? 0) - 20);
    expect(low?.ssim[segment]).toBeLessThan(high?.ssim[segment] ?? 0);
  }
  expect(ratios).toEqual(ratios.toSorted((a, b) => a - b));
  expect(ratios.at(-1)).toBe(1);

  // As an interruption leaves it: the first rung, with a number that nobody measured.
  const left: FilmQuality = {
    ...measured,
    rungs: [{ ...low, vmaf: [1, 2] } as FilmQuality["rungs"][number]],
  };
  await rm(join(directory, "quality.json"));
  await writeFile(join(directory, ".quality-unfinished.json"), JSON.stringify(left));
  const whole = await measureQuality({ directory, source, ffmpegPath });
  expect(whole.rungs).toEqual([left.rungs[0], high]);
  expect((await readdir(directory)).filter((name) => name.includes("quality"))).toEqual(["quality.json"]);

  const steps: string[] = [];
  await measureQuality({ directory, source, ffmpegPath, onProgress: ({ step }) => steps.push(step) });
  expect(steps).toEqual(["quality already measured"]);
});

it("leaves nothing under the name when it is interrupted", async () => {
  const directory = await copyOfFilm("interrupted");
  const interruption = new AbortController();
  const measuring = measureQuality({
    directory,
    source,
    ffmpegPath,
    signal: interruption.signal,
    onProgress: () => interruption.abort(),
  });
  await expect(measuring).rejects.toThrow("aborted");
  expect(await readdir(directory)).not.toContain("quality.json");
});

it.each([
  ["a folder without a film", () => folder, undefined, "holds no film that was packaged here"],
  [
    "a film whose file is not given",
    () => film.directory,
    undefined,
    "does not hold what test was made from; give the film's file with --quality.",
  ],
  ["another film's file", () => film.directory, "seg-0-00001.m4s", "is not what"],
])("refuses %s in one sentence", async (_what, directory, other, sentence) => {
  const given = other && { kind: "file" as const, path: join(film.directory, other) };
  const refused = measureQuality({ directory: directory(), source: given || undefined, ffmpegPath });
  await expect(refused).rejects.toThrow(MediaError);
  await expect(refused).rejects.toThrow(sentence);
});

it("takes the mean over the pictures of each segment, and the segment before for one that has none", () => {
  const frames = [
    [0, 10, 0.1],
    [4, 20, 0.3],
    [8, 50, 0.5],
  ].map(([frameNum, vmaf, float_ssim]) => ({ frameNum, metrics: { vmaf, float_ssim } }));
  // Eight pictures a second: the first second has 0 and 4, the next quarter 8, the last one none.
  expect(
    meansOfSegments(JSON.stringify({ frames }), [1, 0.25, 0.25], { numerator: 8, denominator: 1 }),
  ).toEqual({
    vmaf: [15, 50, 50],
    ssim: [0.2, 0.5, 0.5],
  });
});
