import type { MediaInfo } from "dashjs";
import { expect, it } from "vitest";
import { currentSound, takeCaptions, takeSound, tracksOf } from "./film-tracks.ts";

const info = (lang: string | null, more: object = {}): MediaInfo =>
  ({ lang, labels: [], roles: [], ...more }) as unknown as MediaInfo;

class FakePlayer {
  readonly sounds = [info("en"), info("de"), info("de", { roles: [{ value: "commentary" }] }), info(null)];
  readonly texts = [info("en", { labels: [{ text: "English for the hard of hearing" }] }), info("fr")];
  sound = this.sounds[0] ?? null;
  readonly said: unknown[] = [];
  isReady = () => true;
  getTracksFor = (kind: string) => (kind === "audio" ? this.sounds : this.texts);
  getCurrentTrackFor = () => this.sound;
  setCurrentTrack = (track: MediaInfo) => {
    this.sound = track;
  };
  enableText = (isOn: boolean) => {
    this.said.push(isOn);
    return isOn;
  };
  setTextTrack = (place: number) => {
    this.said.push(place);
  };
}

it("names tracks by label, language and role, and tells equal languages apart", () => {
  const player = new FakePlayer();
  expect(tracksOf(player, "audio")).toEqual([
    { key: "en", title: "English" },
    { key: "de", title: "German" },
    { key: "de-2", title: "German (commentary)" },
    { key: "und", title: "No language named" },
  ]);
  expect(tracksOf(player, "text").map(({ title }) => title)).toEqual([
    "English for the hard of hearing",
    "French",
  ]);
});

const role = (value: string) => [{ schemeIdUri: "urn:mpeg:dash:role:2011", value }];
const tva = (value: string) => [{ schemeIdUri: "urn:tva:metadata:cs:AudioPurposeCS:2007", value }];
const labelled = (text: string) => ({ labels: [{ text }] });

it.each([
  [
    [{ roles: role("subtitle") }, { roles: role("caption") }],
    ["English", "English (for the hard of hearing)"],
  ],
  [
    [{ roles: role("main") }, { roles: role("alternate"), accessibility: tva("1") }],
    ["English", "English (audio description)"],
  ],
  [
    [{ roles: role("main") }, { roles: role("main"), accessibility: tva("2") }],
    ["English", "English (for the hard of hearing)"],
  ],
  [
    [{}, { roles: role("description"), accessibility: role("description") }],
    ["English", "English (audio description)"],
  ],
  [
    [
      { ...labelled("English"), roles: role("main") },
      { ...labelled("English"), roles: role("description") },
    ],
    ["English", "English (audio description)"],
  ],
  [
    [{ ...labelled("English [CC]"), roles: role("caption") }, labelled("Audio Description")],
    ["English [CC]", "Audio Description"],
  ],
  [
    [{}, { accessibility: [{ schemeIdUri: "urn:scte:dash:cc:cea-608:2015", value: "eng" }] }],
    ["English", "English 2"],
  ],
])("tells for whom a track is: %j are %j", (tracks, titles) => {
  const player = new FakePlayer();
  player.getTracksFor = () => tracks.map((track) => info("en", track));
  expect(tracksOf(player, "text").map(({ title }) => title)).toEqual(titles);
});

it("takes a sound that there is, and leaves it for one that there is not", () => {
  const player = new FakePlayer();
  takeSound(player, "de");
  expect(currentSound(player)).toBe("de");
  takeSound(player, "ja");
  expect(currentSound(player)).toBe("de");
});

it("shows captions, and none", () => {
  const player = new FakePlayer();
  takeCaptions(player, "fr");
  takeCaptions(player, null);
  takeCaptions(player, "ja");
  expect(player.said).toEqual([true, 1, false, -1, false, -1]);
});
