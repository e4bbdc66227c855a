import { expect, it } from "vitest";
import { masterPlaylist } from "./hls-playlists.ts";

it("has the name of a sound track as it is, whatever signs are in it", () => {
  const ofFfmpeg = [
    "#EXTM3U",
    "#EXT-X-VERSION:7",
    '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="group_A1",NAME="audio_1",DEFAULT=YES,URI="media_1.m3u8"',
  ];
  const label = "Big $$, with $& and $'";
  const playlist = masterPlaylist(ofFfmpeg.join("\n"), {
    audio: [{ label, language: "en" }],
    captions: [],
    frameRate: { numerator: 24, denominator: 1 },
    representations: [],
  });
  expect(playlist).toContain(`NAME="${label}",LANGUAGE="en"`);
});
