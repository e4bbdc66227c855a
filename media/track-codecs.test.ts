import { expect, it } from "vitest";
import { usableCaptions, usableSound } from "./track-codecs.ts";

function tracks(codecs: readonly string[]) {
  return codecs.map((codec, streamIndex) => ({
    codec,
    streamIndex,
    language: undefined,
    title: undefined,
    dispositions: [],
  }));
}

it.each([
  [
    ["aac", "none", "ac4"],
    ["aac"],
    ["2 of its sound tracks ffmpeg cannot decode (none, ac4): they are left out"],
  ],
  [["none"], [], ["it has no sound: ffmpeg cannot decode what it has (none)"]],
  [["aac"], ["aac"], []],
  [[], [], []],
])("of sound in %j, %j is kept", (codecs, kept, notes) => {
  expect(usableSound(tracks(codecs))).toMatchObject({ tracks: kept.map((codec) => ({ codec })), notes });
});

it.each([
  [["subrip"], ["subrip"], []],
  [["ttml", "ass"], ["ass"], ["1 of its captions cannot be read here (ttml): they are left out"]],
  [
    ["hdmv_pgs_subtitle", "dvd_subtitle", "eia_608"],
    [],
    [
      "2 of its captions are pictures (hdmv_pgs_subtitle, dvd_subtitle), of which no text can be made: they are left out",
      "1 of its captions cannot be read here (eia_608): they are left out",
    ],
  ],
])("of captions in %j, %j are kept", (codecs, kept, notes) => {
  expect(usableCaptions(tracks(codecs))).toMatchObject({ tracks: kept.map((codec) => ({ codec })), notes });
});
