import { expect, test } from "vitest";
import { locationOutside, manifestFacts, originsOf } from "./manifest-facts.ts";
import { mpd } from "./sample-manifest.ts";

const VIDEO = '<AdaptationSet contentType="video"><Representation id="0"/></AdaptationSet>';

test.each([
  [mpd(`<Period>${VIDEO}</Period>`), { durationSeconds: 64.5, isLive: false, hasVideo: true, title: null }],
  [mpd(VIDEO, 'type="dynamic" mediaPresentationDuration="PT9S"'), { isLive: true, durationSeconds: null }],
  [mpd("<ProgramInformation><Title> A &amp; B </Title></ProgramInformation>"), { title: "A & B" }],
  [mpd(VIDEO, 'mediaPresentationDuration="P1DT2H"'), { durationSeconds: 93_600 }],
  [mpd(VIDEO, 'mediaPresentationDuration="forever"'), { durationSeconds: null }],
  [mpd('<Representation mimeType="video/mp4"/>'), { hasVideo: true }],
  [mpd('<Representation codecs="hvc1.1.6.L93"/>'), { hasVideo: true }],
  [mpd('<AdaptationSet mimeType="audio/mp4" codecs="mp4a.40.2"/>'), { hasVideo: false }],
  [mpd('<SegmentBase indexRange="1-2"/>'), { isByRange: true }],
  ['<d:MPD xmlns:d="urn"><d:BaseURL>x/</d:BaseURL></d:MPD>', { locations: ["x/"] }],
])("%s is %j", (text, facts) => {
  expect(manifestFacts(text)).toMatchObject(facts);
});

test.each(["", "<!doctype html><p>MPD</p>", "#EXTM3U", "<smil/>", "not <MPDX>"])("%s is no MPD", (text) => {
  expect(manifestFacts(text)).toBeNull();
});

test.each([
  ["<BaseURL>video/</BaseURL>", null],
  ["<BaseURL>../video/</BaseURL>", "../video/"],
  ['<SegmentTemplate media="a/../../b-$Number$.m4s"/>', "a/../../b-$Number$.m4s"],
  ['<SegmentTemplate initialization="/init.mp4"/>', "/init.mp4"],
  ['<SegmentURL media="https://cdn.example:81/a.m4s"/>', "https://cdn.example:81/a.m4s"],
  ["<BaseURL>//cdn.example/</BaseURL>", "//cdn.example/"],
  ["<BaseURL>file:///etc/</BaseURL>", "file:///etc/"],
])("of %s, %s is outside the folder", (content, outside) => {
  const facts = manifestFacts(mpd(content));
  expect(facts === null ? "no facts" : locationOutside(facts)).toBe(outside);
});

test("other servers are known by their absolute URLs", () => {
  const urls = ["https://a.example/x/", "https://a.example/y/", "http://b.example:81/", "c/"];
  const facts = manifestFacts(mpd(urls.map((url) => `<BaseURL>${url}</BaseURL>`).join("")));
  expect(originsOf({ locations: facts?.locations ?? [] })).toEqual([
    "https://a.example",
    "http://b.example:81",
  ]);
});
