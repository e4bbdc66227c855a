import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { findFfmpeg } from "./find-ffmpeg.ts";
import { LADDER, type Rung } from "./ladder.ts";
import { parseManifest } from "./manifest.ts";
import { MediaError } from "./media-error.ts";
import { findPackaged, packageFilm } from "./package-film.ts";
import { type Presentation, type PresentationRecord, readRecord } from "./presentation.ts";

const PACKAGING_MS = 120_000; // a slow machine with one core
const TWO_RUNGS: readonly Rung[] = [
  { longSide: 256, shortSide: 144, videoBitsPerSecond: 200_000 },
  { longSide: 416, shortSide: 234, videoBitsPerSecond: 500_000 },
];

vi.setConfig({ testTimeout: PACKAGING_MS, hookTimeout: PACKAGING_MS });

let folder: string;
let ffmpegPath: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "nuwa-package-film-"));
  ffmpegPath = await findFfmpeg();
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** Makes a film with ffmpeg; returns its path. */
async function makeFilm(name: string, ...encoding: readonly string[]): Promise<string> {
  const path = join(folder, name);
  await promisify(execFile)(ffmpegPath, ["-v", "error", "-nostdin", "-y", ...encoding, path]);
  return path;
}

async function manifestOf({ directory, manifestPath }: Presentation) {
  return parseManifest(await readFile(join(directory, manifestPath), "utf8"));
}

async function recordOf({ directory }: Presentation): Promise<PresentationRecord> {
  return JSON.parse(await readFile(join(directory, "presentation.json"), "utf8")) as PresentationRecord;
}

/** Decodes every representation; resolves with what ffmpeg complains about. */
async function complaints({ directory }: Presentation): Promise<string> {
  const { stderr } = await promisify(execFile)(
    ffmpegPath,
    [
      "-v",
      "error",
      "-nostdin",
      "-allowed_extensions",
      "ALL",
      "-i",
      "manifest.mpd",
      "-map",
      "0:v",
      "-map",
      "0:a?",
      "-f",
      "null",
      "-",
    ],
    { cwd: directory },
  );
  return stderr;
}

describe("four seconds of the demo film", () => {
  let outputRoot: string;
  let presentation: Presentation;
  const ratios: number[] = [];

  beforeAll(async () => {
    outputRoot = join(folder, "demo");
    presentation = await packageFilm({
      source: { kind: "demo", durationSeconds: 4 },
      outputRoot,
      ffmpegPath,
      onProgress: ({ ratio }) => ratios.push(ratio),
    });
  });

  it("are described to the caller and have the whole ladder and sound", () => {
    const { representations, ...rest } = presentation;
    expect(rest).toMatchObject({ title: "Nuwa demo film", durationSeconds: 4, reused: false });
    expect(rest.manifestPath).toBe("manifest.mpd");
    const video = representations.filter(({ type }) => type === "video");
    expect(video.map((rung) => [rung.width, rung.height, rung.bandwidthBitsPerSecond])).toEqual(
      LADDER.map(({ longSide, shortSide, videoBitsPerSecond }) => [longSide, shortSide, videoBitsPerSecond]),
    );
    expect(representations.filter(({ type }) => type === "audio")).toHaveLength(1);
  });

  it("are cut into the same two-second segments in every rendition, and sound within a frame of them", async () => {
    const { representations } = await manifestOf(presentation);
    for (const { type, segmentSeconds } of representations) {
      if (type === "video") expect(segmentSeconds).toEqual([2, 2]);
      else expect(segmentSeconds.reduce((sum, seconds) => sum + seconds, 0)).toBeCloseTo(4, 1);
    }
  });

  it("lie in one folder under the agreed names and nothing else does", async () => {
    const names = await readdir(presentation.directory);
    const expected =
      /^(manifest\.mpd|master\.m3u8|media_[0-6]\.m3u8|presentation\.json|init-[0-6]\.m4s|seg-[0-6]-0000[1-3]\.m4s)$/;
    expect(names.filter((name) => !expected.test(name))).toEqual([]);
    expect(names).toContain("seg-5-00002.m4s");
    expect(await readdir(outputRoot)).toHaveLength(1);
  });

  it("decode without a complaint", async () => {
    expect(await complaints(presentation)).toBe("");
  });

  it("need the bits that each rung declares", async () => {
    for (const rung of (await recordOf(presentation)).representations) {
      if (rung.type === "audio") continue;
      const use = rung.averageBitsPerSecond / rung.bandwidthBitsPerSecond;
      expect(use, `rung ${rung.bandwidthBitsPerSecond}`).toBeGreaterThan(0.85);
      expect(use, `rung ${rung.bandwidthBitsPerSecond}`).toBeLessThan(1.2);
    }
  });

  it("are told by playlists of HLS with the rates that a link must carry", async () => {
    const { representations } = await recordOf(presentation);
    const sound = representations.find(({ type }) => type === "audio");
    const read = (name: string) => readFile(join(presentation.directory, name), "utf8");
    const variants = (await read("master.m3u8")).matchAll(
      /BANDWIDTH=(\d+),AVERAGE-BANDWIDTH=(\d+),.*,FRAME-RATE=24\.000.*\nmedia_(\d)\.m3u8/g,
    );
    const told = [...variants].map(([, peak, average, id]) => [id, Number(peak), Number(average)]);
    const pictures = representations.filter(({ type }) => type === "video");
    expect(told).toEqual(
      pictures.map(({ id, peakBitsPerSecond, averageBitsPerSecond }) => [
        id,
        peakBitsPerSecond + (sound?.peakBitsPerSecond ?? Number.NaN),
        averageBitsPerSecond + (sound?.averageBitsPerSecond ?? Number.NaN),
      ]),
    );
    expect(await read("media_0.m3u8")).toMatch(/#EXT-X-PLAYLIST-TYPE:VOD\n/);
    expect(await read("media_0.m3u8")).not.toContain("DATE-TIME");
  });

  it("last no longer than the manifest says", async () => {
    const xml = await readFile(join(presentation.directory, "manifest.mpd"), "utf8");
    const longest = Math.max(
      ...parseManifest(xml).representations.flatMap(({ segmentSeconds }) => segmentSeconds),
    );
    expect(Number(/maxSegmentDuration="PT([\d.]+)S"/.exec(xml)?.[1])).toBeGreaterThanOrEqual(longest);
    expect(xml).not.toContain("bitstreamSwitching");
  });

  it("report progress that never falls and ends whole", () => {
    expect(ratios.length).toBeGreaterThan(3);
    expect(ratios).toEqual(ratios.toSorted((a, b) => a - b));
    expect(ratios.at(-1)).toBe(1);
    expect(ratios.filter((ratio) => ratio === 1)).toHaveLength(1);
  });

  it("tell how they were made", async () => {
    const record = await recordOf(presentation);
    expect(record.identity.ladder).toEqual(LADDER);
    expect(record.identity.source).toEqual({ kind: "demo", durationSeconds: 4 });
    expect(record.arguments).toContain("libx264");
  });

  it("are not made twice", async () => {
    const options = { source: { kind: "demo", durationSeconds: 4 } as const, outputRoot, ffmpegPath };
    const startedAtMs = performance.now();
    expect(await packageFilm(options)).toEqual({ ...presentation, reused: true });
    expect(await findPackaged(options)).toEqual({ ...presentation, reused: true });
    expect(await findPackaged({ ...options, outputRoot: join(folder, "elsewhere") })).toBe(null);
    expect(existsSync(join(folder, "elsewhere"))).toBe(false);
    const reuseSeconds = (performance.now() - startedAtMs) / 1000;
    expect(reuseSeconds).toBeLessThan((await recordOf(presentation)).packagingSeconds / 3);
  });
});

describe("a film file", () => {
  it("of a stranger ends soon after the length that it promises, and the packager says so", async () => {
    const path = await makeFilm(
      "endless.mkv",
      ...["-f", "lavfi", "-i", "testsrc2=size=128x72:rate=1:duration=2", "-vf", "setpts=N*200/TB"],
      ...["-fps_mode", "vfr", "-c:v", "mpeg2video"],
    );
    const bytes = await readFile(path);
    const duration = bytes.indexOf(Buffer.of(0x44, 0x89, 0x88)) + 3; // Matroska's Duration, eight bytes in ms
    expect(bytes.readDoubleBE(duration)).toBeGreaterThan(200_000);
    bytes.writeDoubleBE(1000, duration);
    await writeFile(path, bytes);
    const { durationSeconds, notes } = await packageFilm({
      source: { kind: "file", path, isStrangers: true },
      outputRoot: join(folder, "endless"),
      ffmpegPath,
      ladder: TWO_RUNGS,
    });
    expect(durationSeconds).toBeCloseTo(61.1, 0);
    expect(notes).toContainEqual("it goes on for longer than it says: what comes after 61 s is left out");
  });

  it(
    "without sound, with odd sides and an NTSC rate is packaged with aligned segments",
    async () => {
      const path = await makeFilm(
        "odd_one.mkv",
        ...["-f", "lavfi", "-i", "testsrc2=size=640x360:rate=24000/1001:duration=5"],
        ...["-vf", "scale=321:181", "-pix_fmt", "yuv444p", "-c:v", "ffv1"],
      );
      const source = { kind: "file", path } as const;
      const presentation = await packageFilm({
        source,
        outputRoot: join(folder, "odd"),
        ffmpegPath,
        ladder: TWO_RUNGS,
      });
      expect(presentation.title).toBe("odd one");
      const { representations } = await manifestOf(presentation);
      expect(representations.map(({ type }) => type)).toEqual(["video", "video"]);
      // 48 frames of 1001/24000 s are 2.002 s.
      for (const { segmentSeconds } of representations)
        expect(segmentSeconds.slice(0, 2)).toEqual([2.002, 2.002]);
      expect(await complaints(presentation)).toBe("");
    },
    PACKAGING_MS,
  );

  it(
    "ends with its pictures, whether the sound is shorter or longer",
    async () => {
      for (const soundSeconds of [1, 7]) {
        const path = await makeFilm(
          `sound-${soundSeconds}.mp4`,
          ...["-f", "lavfi", "-i", "testsrc2=size=256x144:rate=25:duration=4"],
          ...["-f", "lavfi", "-i", `sine=duration=${soundSeconds}`, "-c:v", "libx264", "-c:a", "aac"],
        );
        const source = { kind: "file", path } as const;
        const presentation = await packageFilm({
          source,
          outputRoot: join(folder, "sound"),
          ffmpegPath,
          ladder: TWO_RUNGS,
        });
        for (const { segmentSeconds } of (await manifestOf(presentation)).representations) {
          expect(Math.abs(segmentSeconds.reduce((sum, seconds) => sum + seconds, 0) - 4)).toBeLessThan(0.1);
        }
      }
    },
    PACKAGING_MS,
  );

  it(
    "is packaged again for another ladder, when a file is missing, and only then",
    async () => {
      const path = await makeFilm(
        "ladders.mp4",
        "-f",
        "lavfi",
        "-i",
        "testsrc2=size=256x144:rate=25:duration=1",
      );
      const options = {
        source: { kind: "file", path } as const,
        outputRoot: join(folder, "ladders"),
        ffmpegPath,
      };
      const [lower, upper] = TWO_RUNGS as [Rung, Rung];
      const first = await packageFilm({ ...options, ladder: [lower] });
      const other = await packageFilm({ ...options, ladder: [upper] });
      expect(other).toMatchObject({ reused: false });
      expect(other.directory).not.toBe(first.directory);
      expect(await packageFilm({ ...options, ladder: [lower] })).toMatchObject({ ...first, reused: true });

      await rm(join(first.directory, "seg-0-00001.m4s"));
      expect(await packageFilm({ ...options, ladder: [lower] })).toEqual(first);
      expect(await readdir(first.directory)).toContain("seg-0-00001.m4s");
    },
    PACKAGING_MS,
  );

  it(
    "is recognised wherever it lies, and titled by its present name",
    async () => {
      const making = ["-f", "lavfi", "-i", "testsrc2=size=256x144:rate=25:duration=1"];
      const path = await makeFilm("here.mp4", ...making);
      const options = { outputRoot: join(folder, "moved"), ffmpegPath, ladder: TWO_RUNGS };
      const first = await packageFilm({ ...options, source: { kind: "file", path } });
      const copy = join(folder, "there.mp4");
      await writeFile(copy, await readFile(path));
      const second = await packageFilm({ ...options, source: { kind: "file", path: copy } });
      expect(second).toEqual({ ...first, title: "there", reused: true });
    },
    PACKAGING_MS,
  );

  it(
    "may be packaged twice at once",
    async () => {
      const path = await makeFilm(
        "twice.mp4",
        "-f",
        "lavfi",
        "-i",
        "testsrc2=size=256x144:rate=25:duration=2",
      );
      const outputRoot = join(folder, "twice");
      const options = { source: { kind: "file", path } as const, outputRoot, ffmpegPath, ladder: TWO_RUNGS };
      const [one, other] = await Promise.all([packageFilm(options), packageFilm(options)]);
      expect(one.directory).toBe(other.directory);
      expect([one.reused, other.reused].filter(Boolean)).toHaveLength(1);
      expect(await complaints(one)).toBe("");
      expect(await readdir(outputRoot)).toHaveLength(1);
    },
    PACKAGING_MS,
  );
});

describe("a film with two languages", () => {
  let presentation: Presentation;
  const name = (file: string) => join(presentation.directory, file);

  beforeAll(async () => {
    const cues = ["Hello <i>there</i>", "Guten Tag"].map(
      (text) => `1\n00:00:00,500 --> 00:00:01,500\n${text}\n`,
    );
    const srt = ["en.srt", "de.srt"].map((file) => join(folder, file));
    await Promise.all(srt.map((file, index) => writeFile(file, cues[index] ?? "")));
    const path = await makeFilm(
      "languages.mkv",
      ...["-f", "lavfi", "-i", "testsrc2=size=256x144:rate=25:duration=2"],
      ...["-f", "lavfi", "-i", "sine=440:duration=2", "-f", "lavfi", "-i", "sine=880:duration=2"],
      ...srt.flatMap((file) => ["-i", file]),
      ...["-map", "0", "-map", "1", "-map", "2", "-map", "3", "-map", "4"],
      ...["-c:v", "libx264", "-b:v", "60k", "-c:a", "aac", "-c:s", "srt"],
      ...[
        "-metadata:s:a:0",
        "language=eng",
        "-metadata:s:a:1",
        "language=ger",
        "-metadata:s:a:1",
        "title=A & B",
      ],
      ...["-metadata:s:s:0", "language=eng", "-metadata:s:s:1", "language=deu"],
      ...["-disposition:a:0", "0", "-disposition:a:1", "default"],
      ...["-disposition:s:0", "forced", "-disposition:s:1", "hearing_impaired"],
    );
    presentation = await packageFilm({
      source: { kind: "file", path },
      outputRoot: join(folder, "languages"),
      ffmpegPath,
      ladder: TWO_RUNGS,
      keepsAllRungs: true,
      codec: "hevc",
    });
  });

  it("keeps both sound tracks and captions, by name", async () => {
    const manifest = await readFile(name("manifest.mpd"), "utf8");
    const sets = [...manifest.matchAll(/contentType="(audio|text)".* lang="(\w+)">\s*<Label>(.*)<\/Label>/g)];
    expect(sets.map(([, ...found]) => found)).toEqual([
      ["audio", "en", "English"],
      ["audio", "de", "A &amp; B (German)"],
      ["text", "en", "English (forced)"],
      ["text", "de", "German (for the hard of hearing)"],
    ]);
    expect([...manifest.matchAll(/<Role .*value="(.*)"/g)].map(([, role]) => role)).toEqual([
      "main",
      "forced-subtitle",
      "caption",
    ]);
    expect(manifest).toMatch(/contentType="audio".* selectionPriority="2" lang="de"/);
    expect(await readFile(name("captions-1.vtt"), "utf8")).toBe(
      "WEBVTT\n\n00:00.500 --> 00:01.500\nGuten Tag\n",
    );
  });

  it("has the same in its HLS playlists", async () => {
    const master = await readFile(name("master.m3u8"), "utf8");
    const media = [...master.matchAll(/TYPE=(\w+),.*NAME="(.*)",LANGUAGE="(\w+)".*URI="(.*)"/g)];
    expect(media.map(([, ...found]) => found)).toEqual([
      ["SUBTITLES", "English (forced)", "en", "captions-0.m3u8"],
      ["SUBTITLES", "German (for the hard of hearing)", "de", "captions-1.m3u8"],
      ["AUDIO", "English", "en", "media_4.m3u8"],
      ["AUDIO", "A & B (German)", "de", "media_5.m3u8"],
    ]);
    expect(master).toMatch(/LANGUAGE="en",DEFAULT=NO,AUTOSELECT=YES,FORCED=YES,URI="captions-0/);
    expect(master).toMatch(/LANGUAGE="de",DEFAULT=NO,.*describes-music-and-sound",URI="captions-1/);
    expect(master).toMatch(/LANGUAGE="de",DEFAULT=YES,AUTOSELECT=YES.*URI="media_5/);
    expect(master.match(/SUBTITLES="captions"/g)).toHaveLength(4);
    expect(await readFile(name("captions-0.m3u8"), "utf8")).toContain("captions-0.vtt");
  });

  it("has each rung that was asked for in both codecs, cut at the same pictures", async () => {
    const { representations } = await manifestOf(presentation);
    const video = representations.filter(({ type }) => type === "video");
    expect(video.map((rung) => [rung.width, rung.bandwidthBitsPerSecond])).toEqual([
      [256, 200_000],
      [256, 500_000],
      [256, 120_000],
      [256, 300_000],
    ]);
    for (const { segmentSeconds } of video) expect(segmentSeconds).toEqual([2]);
    const manifest = await readFile(name("manifest.mpd"), "utf8");
    expect(manifest.match(/codecs="(avc1|hvc1)/g)).toEqual(
      Array(2).fill('codecs="avc1').concat(Array(2).fill('codecs="hvc1')),
    );
    expect(manifest.match(/<AdaptationSet id="1" contentType="video" selectionPriority="2"/g)).toHaveLength(
      1,
    );
    expect(await complaints(presentation)).toBe("");
  });

  it("is damaged without its captions", async () => {
    await rm(name("captions-0.vtt"));
    expect(await readRecord(presentation.directory)).toBeUndefined();
  });
});

it("a film of few bits has one rung, and a note that says so", async () => {
  const path = await makeFilm("poor.mp4", "-f", "lavfi", "-i", "color=size=640x360:rate=5:duration=1");
  const options = { source: { kind: "file", path } as const, outputRoot: join(folder, "poor"), ffmpegPath };
  const { notes } = await packageFilm(options);
  expect(notes.join()).toMatch(
    /^its \d+ kbit\/s gives one rung, so nothing adapts: name more with --ladder /,
  );
  expect((await packageFilm(options)).notes).toEqual(notes);
});

describe("a packaging that cannot succeed", () => {
  async function refusal(source: Parameters<typeof packageFilm>[0]["source"]): Promise<Error> {
    const outputRoot = await mkdtemp(join(folder, "refused-"));
    const error = await packageFilm({ source, outputRoot, ffmpegPath }).then(
      () => new Error("it was packaged"),
      (reason: unknown) => reason as Error,
    );
    expect(error).toBeInstanceOf(MediaError);
    expect(await readdir(outputRoot).catch(() => [])).toEqual([]);
    return error;
  }

  it("names a film that does not exist, is empty, or is a folder", async () => {
    const empty = join(folder, "empty.mp4");
    await writeFile(empty, "");
    expect((await refusal({ kind: "file", path: "/nowhere/a.mp4" })).message).toMatch(
      /\/nowhere\/a\.mp4 does not exist; /,
    );
    expect((await refusal({ kind: "file", path: empty })).message).toMatch(
      /empty\.mp4 is empty \(0 bytes\); /,
    );
    expect((await refusal({ kind: "file", path: folder })).message).toMatch(/is not a file; /);
  });

  it("names a file that is no film, with ffmpeg's reason", async () => {
    const text = join(folder, "notes.mp4");
    await writeFile(text, "these are notes\n".repeat(100));
    expect((await refusal({ kind: "file", path: text })).message).toMatch(
      /cannot read .*notes\.mp4 \(moov atom not found\)/,
    );
    const cut = await makeFilm("cut.mp4", "-f", "lavfi", "-i", "testsrc2=size=256x144:duration=1");
    await truncate(cut, 4000);
    expect((await refusal({ kind: "file", path: cut })).message).toContain("(moov atom not found)");
  });

  it("names a file that holds only sound", async () => {
    const path = await makeFilm("song.m4a", "-f", "lavfi", "-i", "sine=duration=1", "-c:a", "aac");
    expect((await refusal({ kind: "file", path })).message).toMatch(/song\.m4a has no video stream; /);
  });

  it("is refused before it starts when the disk is too small", async () => {
    const message = (await refusal({ kind: "demo", durationSeconds: 1e10 })).message;
    expect(message).toMatch(/^Packaging the demo film needs about \d+ MB and the disk has \d+ MB free; /);
  });

  it("refuses a demo film without length", async () => {
    expect((await refusal({ kind: "demo", durationSeconds: 0 })).message).toContain(
      "0 seconds cannot be made",
    );
  });

  it(
    "leaves nothing when it is aborted, and rejects with the reason",
    async () => {
      const outputRoot = join(folder, "aborted");
      const abortion = new AbortController();
      let sawWork = false;
      const packaging = packageFilm({
        source: { kind: "demo", durationSeconds: 100 },
        ladder: TWO_RUNGS,
        outputRoot,
        ffmpegPath,
        signal: abortion.signal,
        onProgress: ({ ratio }) => {
          if (ratio === 0 || sawWork) return;
          sawWork = true;
          abortion.abort(new Error("changed my mind"));
        },
      });
      await expect(packaging).rejects.toThrow("changed my mind");
      expect(sawWork).toBe(true);
      expect(await readdir(outputRoot)).toEqual([]);
    },
    PACKAGING_MS,
  );
});
