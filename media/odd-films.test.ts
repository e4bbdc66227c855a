/** Films that are not as most are: short real ones, each of a kind that people have. */

import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { findFfmpeg } from "./find-ffmpeg.ts";
import type { Rung } from "./ladder.ts";
import { packageFilm } from "./package-film.ts";
import type { Presentation, PresentationRecord } from "./presentation.ts";

const RUNG: readonly Rung[] = [{ longSide: 320, shortSide: 180, videoBitsPerSecond: 300_000 }];

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 }); // a slow machine with one core

let folder: string;
let ffmpegPath: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "nuwa-odd-films-"));
  ffmpegPath = await findFfmpeg();
});

afterAll(() => rm(folder, { recursive: true }));

async function ffmpeg(...arguments_: readonly string[]): Promise<Buffer> {
  const options = { encoding: "buffer" as const };
  const { stdout } = await promisify(execFile)(
    ffmpegPath,
    ["-v", "error", "-nostdin", "-y", ...arguments_],
    options,
  );
  return stdout;
}

/** Drawn by lavfi. */
async function film(name: string, drawn: string, ...encoding: readonly string[]): Promise<string> {
  const path = join(folder, name);
  await ffmpeg("-f", "lavfi", "-i", drawn, ...encoding, path);
  return path;
}

async function packaged(path: string, isStrangers = false): Promise<Presentation> {
  const outputRoot = join(folder, "out");
  return packageFilm({ source: { kind: "file", path, isStrangers }, outputRoot, ffmpegPath, ladder: RUNG });
}

async function identityOf({ directory }: Presentation): Promise<PresentationRecord["identity"]> {
  const text = await readFile(join(directory, "presentation.json"), "utf8");
  return (JSON.parse(text) as PresentationRecord).identity;
}

/** Y, U and V in the middle of the first picture, and what ffmpeg prints of the stream. */
async function firstPicture({ directory }: Presentation): Promise<{ yuv: number[]; printed: string }> {
  const path = join(folder, "first.mp4");
  const parts = ["init-0.m4s", "seg-0-00001.m4s"].map((name) => readFile(join(directory, name)));
  await writeFile(path, Buffer.concat(await Promise.all(parts)));
  const picture = ["-vf", "crop=2:2", "-frames:v", "1", "-pix_fmt", "yuv420p", "-f", "rawvideo", "-"];
  const bytes = await ffmpeg("-i", path, ...picture);
  const { stderr } = await promisify(execFile)(ffmpegPath, ["-i", path, "-f", "null", "-"]);
  return { yuv: [bytes[0] ?? 0, bytes[4] ?? 0, bytes[5] ?? 0], printed: stderr };
}

const SMALL = "size=320x180:rate=25:duration=0.2";

it("of red, green and blue it is BT.709, and says so; a stranger's GIF, too", async () => {
  const drawn = `color=c=0x20c040:${SMALL},format=gbrp`;
  for (const path of [await film("rgb.mkv", drawn, "-c:v", "ffv1"), await film("rgb.gif", drawn)]) {
    const presentation = await packaged(path, path.endsWith(".gif"));
    const { yuv, printed } = await firstPicture(presentation);
    for (const [index, value] of [142, 87, 63].entries())
      expect(Math.abs((yuv[index] ?? 0) - value), `${yuv}`).toBeLessThan(10); // BT.601: 127, 95, 67
    expect(printed).toContain("yuv420p(tv, bt709");
    expect((await identityOf(presentation)).reading).toContain("out_color_matrix=bt709");
  }
});

it.each([
  ["smpte2084", "bt2020nc"],
  ["arib-std-b67", "unknown"],
])("of HDR (%s, matrix %s) it is mapped to BT.709", async (transfer, matrix) => {
  const toHdr = `zscale=t=linear:npl=203,format=gbrpf32le,zscale=t=${transfer}:m=bt2020nc:p=bt2020:r=tv:npl=203,format=yuv420p10le`;
  const path = await film(
    `${transfer}.mkv`,
    `color=c=0x20c040:${SMALL},format=yuv444p,setparams=colorspace=smpte170m:color_primaries=bt709:color_trc=bt709,${toHdr},setparams=colorspace=${matrix}`,
    ...["-c:v", "ffv1"],
  );
  const presentation = await packaged(path);
  const { yuv, printed } = await firstPicture(presentation);
  const [brightness = 0, blue = 0, red = 0] = yuv;
  expect(brightness).toBeGreaterThan(90);
  expect([blue < 105, red < 85], `${yuv}`).toEqual([true, true]); // unmapped: 112, 119, and 99, 110
  expect(printed).toContain("yuv420p(tv, bt709");
  expect((await identityOf(presentation)).reading).toContain("tonemap");
});

it("of a rate that varies it keeps all pictures of what moves", async () => {
  const moving = "testsrc2=size=320x180:rate=60:duration=3,select='lt(t,0.5)+gte(t,2.98)'";
  const path = await film("burst.mkv", moving, "-fps_mode", "vfr", "-c:v", "ffv1");
  const { directory } = await packaged(path);
  expect(await readFile(join(directory, "manifest.mpd"), "utf8")).toContain('frameRate="60/1"');
});

it("of one picture, or with a rest beyond tenths of a second, it is as long as its segments", async () => {
  for (const seconds of [0.04, 2.04]) {
    const drawn = `testsrc2=size=320x180:rate=25:duration=${seconds}`;
    const presentation = await packaged(await film(`${seconds}.mkv`, drawn, "-c:v", "ffv1"));
    expect(presentation.durationSeconds).toBe(seconds);
    expect((await identityOf(presentation)).reading).toBeUndefined();
    const manifest = await readFile(join(presentation.directory, "manifest.mpd"), "utf8");
    expect(manifest).toContain(`mediaPresentationDuration="PT${seconds}S"`);
  }
});

it("of one picture and a song it lasts as long as the song", async () => {
  const drawn = "testsrc2=size=320x180:rate=25:duration=0.04";
  const song = ["-f", "lavfi", "-i", "sine=duration=5", "-c:v", "mpeg4", "-c:a", "aac"];
  const { durationSeconds, notes, directory } = await packaged(await film("song.mp4", drawn, ...song));
  expect(Math.abs(durationSeconds - 5)).toBeLessThan(0.1);
  expect(notes).toContain("its last picture stands for 5 s, while its sound goes on");
  expect(await readFile(join(directory, "seg-0-00003.m4s"))).not.toHaveLength(0);
});

it("of one picture and a song with a fault in its sound it lasts as long, too", async () => {
  const drawn = "testsrc2=size=320x180:rate=25:duration=0.04";
  const song = ["-f", "lavfi", "-i", "sine=duration=5", "-c:v", "mpeg4", "-c:a", "aac"];
  const path = await film("damaged-song.mp4", drawn, ...song);
  const bytes = await readFile(path);
  const atSound = Math.round(bytes.indexOf("moov") * 0.75);
  bytes.fill(0xff, atSound, atSound + 12);
  await writeFile(path, bytes);
  const { durationSeconds, notes } = await packaged(path);
  expect(Math.abs(durationSeconds - 5)).toBeLessThan(0.2);
  expect(notes).toContain("its last picture stands for 5 s, while its sound goes on");
  expect(notes.join()).toContain("parts of it are damaged");
});

it("that is cut off is packaged as far as it goes, and the packager says so", async () => {
  const whole = await film(
    "whole.mkv",
    "testsrc2=size=320x180:rate=25:duration=6",
    "-c:v",
    "mpeg4",
    "-g",
    "5",
  );
  const bytes = await readFile(whole);
  const path = join(folder, "half.mkv");
  await writeFile(path, bytes.subarray(0, bytes.length / 2));
  const { durationSeconds, notes } = await packaged(path);
  expect(durationSeconds).toBeLessThan(4);
  expect(notes.join()).toMatch(
    /it says 6 s, and its pictures end after [\d.]+ s \(File ended prematurely\): /,
  );
  expect((await packaged(whole)).notes.join()).not.toContain("it says");
});

it("leaves out sound that cannot be decoded, and reads captions in the letters of their language", async () => {
  const cue = (text: string) => `1\n00:00:00,000 --> 00:00:00,100\n${text}\n`;
  const written = {
    fr: cue("déjà"),
    ru: cue("\u00e4\u00e0"),
    en: cue("yes"),
    ja: cue("\u0082\u00b1\u0082\u00f1"),
    hi: cue("\u00e4"),
    zh: cue("\u00c4\u00e3"),
  };
  const inputs: string[] = [];
  for (const [language, text] of Object.entries(written)) {
    inputs.push("-i", join(folder, `${language}.srt`));
    await writeFile(join(folder, `${language}.srt`), text, "latin1");
  }
  const path = await film(
    "captions.mkv",
    `testsrc2=${SMALL}`,
    ...["-f", "lavfi", "-i", "sine=duration=0.2", ...inputs, "-map", "0", "-map", "1"],
    ...[..."234567"].flatMap((input) => ["-map", input]),
    ...["-c:v", "ffv1", "-c:a", "aac", "-c:s", "copy"],
    ...["fra", "rus", "eng", "jpn", "hin", "zho"].flatMap((language, index) => [
      `-metadata:s:s:${index}`,
      `language=${language}`,
    ]),
  );
  const bytes = await readFile(path);
  bytes.write("A_XYZ", bytes.indexOf("A_AAC"));
  await writeFile(path, bytes);
  const { directory, representations, notes } = await packaged(path);
  expect(representations.map(({ type }) => type)).toEqual(["video"]);
  const shown = [0, 1, 2, 3, 5].map((index) => readFile(join(directory, `captions-${index}.vtt`), "utf8"));
  const texts = (await Promise.all(shown)).map((text) => text.trimEnd().split("\n").at(-1));
  expect(texts).toEqual(["déjà", "да", "yes", "こん", "你"]);
  expect(notes.filter((note) => !note.includes("one rung"))).toEqual([
    "it has no sound: ffmpeg cannot decode what it has (none)",
    'its captions "French" are no UTF-8: they are read as CP1252',
    'its captions "Russian" are no UTF-8: they are read as CP1251',
    'its captions "Japanese" are no UTF-8: they are read as CP932',
    'its captions "Hindi" are no UTF-8, and how they are written is not known: they are left out',
    'its captions "Chinese" are no UTF-8: they are read as GB18030',
  ]);
});

it("of a stranger has no pictures that take gigabytes to decode, however they are coded", async () => {
  for (const codec of ["png", "mpeg4"]) {
    const path = await film(`huge-${codec}.mkv`, "color=size=8000x4800:duration=0.04", "-c:v", codec);
    await expect(packaged(path, true)).rejects.toThrow(
      /huge-\w+\.mkv has pictures of 8000x4800 pixels, more/,
    );
  }
});

it("of a stranger has no more sound tracks than films have", async () => {
  const sound = ["-f", "lavfi", "-i", "anullsrc", "-map", "0", "-c:a", "pcm_s16le", "-t", "0.04"];
  const tracks = Array.from({ length: 65 }, () => ["-map", "1"]).flat();
  const path = await film("choir.mkv", "color=size=64x36:duration=0.04", ...sound, ...tracks);
  await expect(packaged(path, true)).rejects.toThrow(/choir\.mkv has 65 sound tracks, more than 64: leave/);
});

it("of a stranger may have a cover of any size, and a title in ffmpeg's words", async () => {
  const cover = await film("cover.png", "color=size=6200x6200:duration=0.04", "-pix_fmt", "monob");
  const path = await film(
    "covered.mp4",
    "testsrc2=size=320x180:rate=24:duration=1",
    ...["-i", cover, "-map", "0", "-map", "1", "-c:v:1", "copy", "-disposition:v:1", "attached_pic"],
    ...["-metadata", "title=Picture size 9x9 exceeds all"],
  );
  const { directory } = await packaged(path, true);
  expect(await readFile(join(directory, "manifest.mpd"), "utf8")).toContain('width="320" height="180"');
});

it("of a stranger without pictures is refused as that, whatever its title says", async () => {
  const title = "Picture size 9x9 exceeds all";
  const path = await film("song.mka", "sine=duration=1", "-metadata", `title=${title}`);
  await expect(packaged(path, true)).rejects.toThrow(/song\.mka has no video stream/);
});
