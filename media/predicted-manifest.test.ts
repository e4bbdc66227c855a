import { expect, it } from "vitest";
import { hasBegun, predictManifest } from "./predicted-manifest.ts";

const template = (timeline: string) =>
  `<Representation id="0" mimeType="video/mp4"><SegmentTemplate timescale="12800" media="seg-$Number$.m4s" startNumber="1">
  <SegmentTimeline>${timeline}</SegmentTimeline></SegmentTemplate></Representation>`;
const encoding = (timeline: string) =>
  `<MPD type="dynamic"\n\tminimumUpdatePeriod="PT2S"\n\tavailabilityStartTime="2026"\n\tmaxSegmentDuration="PT2.0S">${template(timeline)}</MPD>`;

it.each([
  [40, "40.000"],
  [4.04, "4.000"],
  [5.04, "5.040"],
  [0.3, "0.300"],
])("%d s that are promised are played as %s s", (expectedSeconds, played) => {
  expect(predictManifest(encoding('<S t="0" d="25600"/>'), { expectedSeconds, segmentSeconds: 2 })).toBe(
    `<MPD type="static"\n\tmediaPresentationDuration="PT${played}S"\n\tmaxSegmentDuration="PT2.0S">` +
      '<Representation id="0" mimeType="video/mp4">' +
      '<SegmentTemplate timescale="12800" duration="25600" media="seg-$Number$.m4s" startNumber="1"/></Representation></MPD>',
  );
});

it("begins with the first segment of each representation", () => {
  expect(hasBegun(encoding('<S t="0" d="25600"/>'))).toBe(true);
  expect(hasBegun(encoding(""))).toBe(false);
  expect(hasBegun(`${template('<S d="1"/>')}`)).toBe(false);
});
