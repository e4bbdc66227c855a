import { expect, test } from "vitest";
import {
  availabilityStartTimeOf,
  locationOutside,
  ManifestFault,
  manifestFacts,
  originsOf,
  unservedFile,
} from "./manifest-facts.ts";
import { mpd } from "./sample-manifest.ts";

const VIDEO = '<AdaptationSet contentType="video"><Representation id="0"/></AdaptationSet>';
const PROTECTED = VIDEO.replace("<Rep", "<ContentProtection/><Rep");

const titled = (title: string) => mpd(`<ProgramInformation><Title>${title}</Title></ProgramInformation>`);

test.each([
  [mpd(`<Period>${VIDEO}</Period>`), { durationSeconds: 64.5, isLive: false, hasVideo: true, title: null }],
  [mpd(VIDEO, 'type="dynamic" mediaPresentationDuration="PT9S"'), { isLive: true, durationSeconds: null }],
  [titled(" A &amp; B "), { title: "A & B" }],
  [titled("A\u001b[31m\n  B"), { title: "A [31m B" }],
  [titled("\u{1F3AC}".repeat(1000)), { title: "\u{1F3AC}".repeat(200) }],
  [mpd(VIDEO, 'mediaPresentationDuration="P1DT2H"'), { durationSeconds: 93_600 }],
  [mpd(VIDEO, 'mediaPresentationDuration="forever"'), { durationSeconds: null }],
  [mpd(VIDEO, 'mediaPresentationDuration="P0Y0M0DT0H3M1.63S"'), { durationSeconds: 181.63 }],
  [mpd(VIDEO, 'mediaPresentationDuration="P1M"'), { durationSeconds: null }],
  [mpd(VIDEO, 'mediaPresentationDuration="PT1.2.3S"'), { durationSeconds: null }],
  [mpd('<Period duration="PT30S"/><Period duration="PT1M"/>', 'type="static"'), { durationSeconds: 90 }],
  [mpd('<Period duration="PT30S"/><Period/>', 'type="static"'), { durationSeconds: null }],
  [mpd(VIDEO), { isEncrypted: false }],
  [mpd(`${PROTECTED}<AdaptationSet contentType="audio"/>`), { isEncrypted: true }],
  [mpd(`${PROTECTED}${VIDEO}`), { isEncrypted: false }],
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

test("of a manifest that is cut anywhere, or is damaged, the line is told", () => {
  const whole = mpd(`\n<Period><!-- a > b --><![CDATA[<a b]]>\n${VIDEO}</Period>`);
  expect(manifestFacts(whole)).not.toBeNull();
  for (let length = whole.indexOf("<MPD") + 5; length < whole.length; length += 1)
    expect(() => manifestFacts(whole.slice(0, length)), whole.slice(0, length)).toThrow(ManifestFault);
  expect(() => manifestFacts(whole.slice(0, -10))).toThrow("breaks off at line 3");
});

test.each([
  ["is damaged at line 1", "<html><body>hello <MPD </body>"],
  ["is damaged at line 1", mpd("<Period></Set>")],
  ["is damaged at line 2", mpd("\n<Period a></Period>")],
  ["is damaged at line 1", mpd('<Period _="x>y"/>')],
  ["is damaged at line 1", mpd("<?a > <b c ?>")],
  ["is damaged at line 1", mpd("<!--> <a b -->")],
  ["is damaged at line 1", "<MPD /><MPD />"],
  ["nests deeper than 64 elements", mpd("<Period>".repeat(100))],
  ["has more than 500000 elements", mpd("<S/>".repeat(500_001))],
  ["breaks off at line 1", `<MPD${" ".repeat(4e6)}`],
])("that one %s is told", (fault, text) => {
  expect(() => manifestFacts(text)).toThrow(fault);
});

const set = (content: string, kind = "video") =>
  `<AdaptationSet mimeType="${kind}/mp4">${content}</AdaptationSet>`;

const CDN = "<BaseURL>https://cdn.example/tos/</BaseURL>";

test.each([
  [set('<SegmentTemplate media="a-$Number$.m4s?token=1.x" initialization="i"/>'), null],
  [set('<SegmentTemplate media="Fragments(video=$Time$)"/>'), "Fragments(video=$Time$)"],
  [set('<SegmentTemplate media="https://cdn.example/video=$Time$"/>'), null],
  [set("<BaseURL>v1</BaseURL><Representation><BaseURL>a.mp4</BaseURL></Representation>"), null],
  [set("<Representation><BaseURL>a.ismv</BaseURL></Representation>"), "a.ismv"],
  [set('<Representation><BaseURL>v1</BaseURL><SegmentTemplate media="a.m4s"/></Representation>'), null],
  [set('<SegmentTemplate media="thumb-$Number$.jpg"/>', "image"), null],
  [`${CDN}${set('<SegmentTemplate media="video=$Time$"/>')}`, null],
  [
    `<Period>${CDN}<BaseURL>b/</BaseURL>${set('<SegmentTemplate media="video=$Time$"/>')}</Period>`,
    "video=$Time$",
  ],
  [set(`<Representation>${CDN}<SegmentTemplate media="v.ismv"/></Representation>`), null],
  [
    set(`<Representation>${CDN}</Representation><Representation><BaseURL>a.ismv</BaseURL></Representation>`),
    "a.ismv",
  ],
  [
    `${set(`${CDN}<BaseURL>https://b.example/</BaseURL><Representation><BaseURL>a.ismv</BaseURL></Representation>`)}`,
    null,
  ],
])("of %s, %s is never served", (content, file) => {
  const facts = manifestFacts(mpd(content));
  expect(facts === null ? "no facts" : unservedFile(facts)).toBe(file);
});

test("sets within sets cost no more than others", () => {
  const [depth, elements] = [60, 60_000];
  const nested = `${'<AdaptationSet contentType="video">'.repeat(depth)}${"<S/>".repeat(elements)}`;
  const facts = manifestFacts(mpd(`${nested}${"</AdaptationSet>".repeat(depth)}`));
  expect(facts).toMatchObject({ hasVideo: true, isEncrypted: false });
});

test.each([
  [mpd("", 'type="dynamic" availabilityStartTime="2026-11-27T08:00:00Z"'), "2026-11-27T08:00:00Z"],
  ["<d:MPD\n availabilityStartTime = '2026-11-27'>", "2026-11-27"],
  [mpd('<Period availabilityStartTime="2026-11-27"/>'), null],
  ["no manifest", null],
])("of %s the times count from %s", (text, start) => {
  expect(availabilityStartTimeOf(text)).toBe(start);
});
