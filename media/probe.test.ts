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
      audio: [{ streamIndex: 1, codec: "aac", language: undefined, title: undefined }],
      captions: [],
      video: {
        codec: "h264",
        width: 1280,
        height: 720,
        sampleAspectRatio: { width: 1, height: 1 },
        frameRate: { numerator: 25, denominator: 1 },
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
    ["23.98 fps, 23.98 tbr", 24_000, 1001],
    ["29.97 fps, 59.94 tbr", 30_000, 1001],
    ["59.94 fps", 60_000, 1001],
    ["119.88 fps", 60_000, 1001],
    ["120 fps", 60, 1],
    ["15 tbr", 15, 1],
    ["14.99 fps", 15, 1],
    ["0.50 fps", 1, 1],
    ["", 25, 1],
  ])("reads the rate in %j as %d/%d", (rate, numerator, denominator) => {
    const text = `Input #0, raw, from 'x':\n  Duration: N/A\n  Stream #0:0: Video: h264, yuv420p, 64x48, ${rate}\n`;
    const film = parseProbe(text);
    expect(film?.durationSeconds).toBeUndefined();
    expect(film?.video?.frameRate).toEqual({ numerator, denominator });
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
