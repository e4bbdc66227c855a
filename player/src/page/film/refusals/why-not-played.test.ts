import { expect, it } from "vitest";
import { errorSentence, impedimentOf, isOfBrowser, type ParsedManifest } from "./why-not-played.ts";

const film = (
  ...sets: NonNullable<NonNullable<ParsedManifest["Period"]>[number]["AdaptationSet"]>
): ParsedManifest => ({
  Period: [{ AdaptationSet: sets }],
});
const video = {
  contentType: "video",
  Representation: [
    { mimeType: "video/mp4", codecs: "hvc1.1.6.L93.B0" },
    { mimeType: "video/mp4", codecs: "avc1.64001f" },
  ],
};
const audio = { contentType: "audio", mimeType: "audio/mp4", codecs: "mp4a.40.2", Representation: [{}] };
const supports =
  (...codecs: string[]) =>
  (type: string): boolean =>
    codecs.some((codec) => type.includes(codec));

it("says nothing where one rung and the sound can be decoded", () => {
  expect(impedimentOf(film(video, audio), supports("avc1", "mp4a"))).toBeNull();
});

it("names the codec that the browser lacks", () => {
  const impediment = impedimentOf(film(video, audio), supports("mp4a"));
  expect(impediment?.isFatal).toBe(true);
  expect(impediment?.sentence).toMatch(
    "cannot decode the film’s video, HEVC (hvc1.1.6.L93.B0); use a browser",
  );
});

it("plays without a sound that cannot be decoded", () => {
  const impediment = impedimentOf(film(video, audio), supports("avc1"));
  expect(impediment?.isFatal).toBe(false);
  expect(impediment?.sentence).toMatch("the film’s sound, AAC (mp4a.40.2), so it plays without");
});

it("tells a film without video, and a manifest of nothing", () => {
  expect(impedimentOf(film(audio), supports("mp4a"))).toMatchObject({
    isFatal: false,
    sentence: expect.stringContaining("has no video") as string,
  });
  expect(impedimentOf({}, supports("mp4a"))).toMatchObject({
    isFatal: true,
    sentence: expect.stringContaining("neither video nor sound") as string,
  });
});

it("tells a browser without MediaSource", () => {
  expect(impedimentOf(film(video), null)?.sentence).toMatch("no Media Source Extensions");
  expect([23, 11].map((code) => isOfBrowser({ code }))).toEqual([true, false]);
});

it("says what became of the manifest", () => {
  const url = "/media/manifest.mpd";
  expect(errorSentence({ code: 11 }, url, 404)).toMatch(
    "/media/manifest.mpd does not come: the server answers 404;",
  );
  expect(errorSentence({ code: 11 }, url, null)).toMatch("does not come; see that the server runs");
  expect(errorSentence({ code: 10 }, url, 200)).toMatch("is no DASH manifest (MPD);");
  expect(errorSentence({ code: 16 }, url, null)).toBeNull();
  expect(errorSentence({ message: "boom." }, url, null)).toBe(
    "The film cannot be played on: boom; reload the page to try again.",
  );
});
