import { describe, expect, it } from "vitest";
import { chooseRenditions, LADDER } from "./ladder.ts";

type SourcePicture = Parameters<typeof chooseRenditions>[1];

function film(changes: Partial<SourcePicture>): SourcePicture {
  return {
    codec: "h264",
    width: 1920,
    height: 1080,
    sampleAspectRatio: { width: 1, height: 1 },
    bitsPerSecond: undefined,
    ...changes,
  };
}

function sizes(source: SourcePicture): string[] {
  return chooseRenditions(LADDER, source).map(
    ({ width, height, videoBitsPerSecond }) => `${width}x${height} ${videoBitsPerSecond / 1000}`,
  );
}

describe("the ladder", () => {
  it("has at least six rungs from about 300 kbit/s to about 8 Mbit/s, each dearer than the one below", () => {
    const rates = LADDER.map(({ videoBitsPerSecond }) => videoBitsPerSecond);
    expect(rates.length).toBeGreaterThanOrEqual(6);
    expect(rates[0]).toBe(300_000);
    expect(rates.at(-1)).toBe(8_000_000);
    expect(rates).toEqual([...new Set(rates)].sort((a, b) => a - b));
  });
});

describe("the renditions of a source", () => {
  it.each([
    [
      "1080p of unknown bit rate: the whole ladder",
      film({}),
      ["416x234 300", "640x360 700", "960x540 1500", "1280x720 2800", "1920x1080 5000", "1920x1080 8000"],
    ],
    [
      "4K: nothing above the ladder",
      film({ width: 3840, height: 2160 }),
      ["416x234 300", "640x360 700", "960x540 1500", "1280x720 2800", "1920x1080 5000", "1920x1080 8000"],
    ],
    [
      "cinema format 1920x800: as wide as 1080p, so all rungs",
      film({ height: 800 }),
      ["416x172 300", "640x266 700", "960x400 1500", "1280x532 2800", "1920x800 5000", "1920x800 8000"],
    ],
    [
      "720p",
      film({ width: 1280, height: 720 }),
      ["416x234 300", "640x360 700", "960x540 1500", "1280x720 2800"],
    ],
    [
      "900p lies well above 720p: one more rung at its own size",
      film({ width: 1600, height: 900 }),
      ["416x234 300", "640x360 700", "960x540 1500", "1280x720 2800", "1600x900 5000"],
    ],
    ["upright: the short side counts", film({ width: 360, height: 640 }), ["234x416 300", "360x640 700"]],
    ["smaller than every rung: one, not enlarged", film({ width: 160, height: 90 }), ["160x90 300"]],
    ["odd sides become even", film({ width: 321, height: 181 }), ["320x180 300"]],
    [
      "2 Mbit/s at 1080p: 3 Mbit/s are useful, and the top rung keeps the whole picture",
      film({ bitsPerSecond: 2_000_000 }),
      ["416x234 300", "640x360 700", "960x540 1500", "1920x1080 2800"],
    ],
    [
      "0.5 Mbit/s of H.265 are worth 1.5 Mbit/s of H.264",
      film({ bitsPerSecond: 500_000, codec: "hevc" }),
      ["416x234 300", "640x360 700", "1920x1080 1500"],
    ],
    ["hardly any bits: one rung remains", film({ bitsPerSecond: 10_000 }), ["1920x1080 300"]],
  ])("%s", (_, source, expected) => {
    expect(sizes(source)).toEqual(expected);
  });

  it("keep the picture's shape exactly through their sample aspect ratios", () => {
    // 720x576 with 64:45 samples is shown as 1024x576 = 16:9.
    const dvd = film({ width: 720, height: 576, sampleAspectRatio: { width: 64, height: 45 } });
    const odd = film({ width: 1921, height: 803 });
    for (const [source, shape] of [
      [dvd, 16 / 9],
      [odd, 1921 / 803],
    ] as const) {
      for (const { width, height, sampleAspectRatio } of chooseRenditions(LADDER, source)) {
        const shown = (width * sampleAspectRatio.width) / (height * sampleAspectRatio.height);
        expect(shown).toBeCloseTo(shape, 12);
      }
    }
  });
});
