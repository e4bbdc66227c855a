import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseProbe, titleOfFile } from "./probe.ts";

async function recorded(name: string) {
  return parseProbe(await readFile(join(import.meta.dirname, "testdata", `probe-${name}.txt`), "utf8"));
}

describe("what ffmpeg prints about a film", () => {
  it("gives length, size, rate and sound", async () => {
    expect(await recorded("bigbuckbunny")).toEqual({
      durationSeconds: 5.31,
      audio: [
        { streamIndex: 1, codec: "aac", language: undefined, title: undefined, dispositions: ["default"] },
      ],
      captions: [],
      video: {
        codec: "h264",
        width: 1280,
        height: 720,
        sampleAspectRatio: { width: 1, height: 1 },
        frameRate: { numerator: 25, denominator: 1 },
        isOrdinary: true,
        isRgb: false,
        hdr: undefined,
        bitsPerSecond: 1_205_000,
      },
    });
  });

  it("gives samples that are not square", async () => {
    expect((await recorded("dvd"))?.video).toMatchObject({
      width: 720,
      height: 576,
      sampleAspectRatio: { width: 64, height: 45 },
    });
  });

  it("gives NTSC rates as fractions, no sound, and the container's bit rate where the stream's is missing", async () => {
    expect(await recorded("odd")).toMatchObject({
      audio: [],
      video: { width: 321, height: 181, frameRate: { numerator: 24_000, denominator: 1001 }, codec: "ffv1" },
    });
    expect((await recorded("odd"))?.video?.bitsPerSecond).toBeGreaterThan(100_000);
  });

  it.each(["\u2028", "\u00a0\u2029"])("is read in no time whatever its title is made of: %j", (blank) => {
    const text = [
      "Input #0, mov, from 'x':",
      ...Array.from({ length: 20 }, () => `    title           : ${blank.repeat(50_000)}x`),
      "  Duration: 00:00:07.00, start: 0.000000, bitrate: 10 kb/s",
      "  Stream #0:0: Video: h264, yuv420p, 64x64, 25 fps",
    ].join("\n");
    const startedAtMs = performance.now();
    expect(parseProbe(text)?.durationSeconds).toBe(7);
    expect(performance.now() - startedAtMs).toBeLessThan(1000);
  });

  it("is read in no time however long a sound's language is", () => {
    const text = `Input #0, x, from 'x':\n  Stream #0:0(${"1".repeat(200_000)}): Video: h264, yuv420p, 64x64\n`;
    const startedAtMs = performance.now();
    expect(parseProbe(text)?.video).toBeUndefined();
    expect(performance.now() - startedAtMs).toBeLessThan(1000);
  });

  it("turns a phone's film upright", async () => {
    expect((await recorded("upright"))?.video).toMatchObject({ width: 360, height: 640 });
  });

  it("does not take music, or its cover, for a film", async () => {
    expect(await recorded("audio")).toMatchObject({
      audio: [{ codec: expect.any(String) }],
      video: undefined,
    });
    expect(await recorded("cover")).toMatchObject({
      audio: [{ codec: expect.any(String) }],
      video: undefined,
    });
  });

  it("names sound tracks and captions, with their languages and titles", async () => {
    expect(await recorded("languages")).toMatchObject({
      audio: [
        { streamIndex: 1, codec: "aac", language: "eng", title: undefined },
        { streamIndex: 2, codec: "aac", language: "deu", title: "Kommentar" },
      ],
      captions: [
        { streamIndex: 3, codec: "mov_text", language: "eng", title: undefined },
        { streamIndex: 4, codec: "mov_text", language: "ger", title: undefined },
      ],
    });
  });

  it("is nothing when ffmpeg could not open the file", async () => {
    expect(await recorded("cut")).toBeUndefined();
  });

  it.each([
    [
      "hevc (Main 10) (hev1 / 0x31766568), yuv420p10le(tv, bt2020nc/bt2020/smpte2084, progressive)",
      false,
      { transfer: "smpte2084", primaries: "bt2020", matrix: "bt2020nc" },
    ],
    [
      "vp9 (Profile 2), yuv420p10le(tv, unknown/smpte432/arib-std-b67)",
      false,
      { transfer: "arib-std-b67", primaries: "smpte432", matrix: "bt2020nc" },
    ],
    ["h264 (High) (avc1 / 0x31637661), yuv420p(tv, bt709, progressive)", false, undefined],
    ["h264 (High 4:4:4 Predictive), gbrp(pc, gbr/unknown/unknown, progressive)", true, undefined],
    ["gif, bgra", true, undefined],
    ["flv1 (flv), yuv420p", false, undefined],
  ])("reads the colours of %s", (stream, isRgb, hdr) => {
    const text = `Input #0, x, from 'x':\n  Stream #0:0: Video: ${stream}, 64x48, 25 fps\n`;
    expect(parseProbe(text)?.video).toMatchObject({ isRgb, hdr });
  });

  it("tells what tracks are for", () => {
    const lines = [
      "1(fra): Audio: aac (LC), 48000 Hz, mono, fltp (default)",
      "2: Audio: ac3 (comment) (dub)",
    ];
    const captions = ["3(eng): Subtitle: subrip (srt) (forced)", "4: Subtitle: ass (hearing impaired)"];
    const text = [...lines, ...captions].map((line) => `  Stream #0:${line}\n`).join("");
    expect(parseProbe(`Input #0, x, from 'x':\n${text}`)).toMatchObject({
      audio: [{ dispositions: ["default"] }, { dispositions: ["comment", "dub"] }],
      captions: [{ dispositions: ["forced"] }, { dispositions: ["hearing impaired"] }],
    });
  });
});

describe("a film's title", () => {
  it.each([
    ["/films/Big_Buck.Bunny.mp4", "Big Buck Bunny"],
    ["a.mkv", "a"],
    ["/films/.mp4", "mp4"],
  ])("of %s is %s", (path, title) => {
    expect(titleOfFile(path)).toBe(title);
  });
});
