import { expect, it } from "vitest";
import { parseManifest } from "./manifest.ts";
import { MediaError } from "./media-error.ts";

it("reads what ffmpeg's DASH muxer writes", () => {
  const xml = `<MPD type="static" mediaPresentationDuration="PT1H2M5.5S" maxSegmentDuration="PT2.0S">
    <Representation id="0" mimeType="video/mp4" codecs="avc1.64000d" bandwidth="300000" width="416" height="234" sar="1:1">
      <SegmentTemplate timescale="1000" startNumber="1"><SegmentTimeline>
        <S t="0" d="2000" r="1" /><S d="1500" />
      </SegmentTimeline></SegmentTemplate>
    </Representation>
    <Representation id="1" mimeType="audio/mp4" codecs="mp4a.40.2" bandwidth="128000" audioSamplingRate="48000">
      <SegmentTemplate timescale="48000"><SegmentTimeline><S t="0" d="96256" /></SegmentTimeline></SegmentTemplate>
    </Representation></MPD>`;
  expect(parseManifest(xml)).toEqual({
    durationSeconds: 3725.5, // 3600 + 2 * 60 + 5.5
    representations: [
      {
        id: "0",
        type: "video",
        bandwidthBitsPerSecond: 300_000,
        width: 416,
        height: 234,
        segmentSeconds: [2, 2, 1.5],
      },
      { id: "1", type: "audio", bandwidthBitsPerSecond: 128_000, segmentSeconds: [96_256 / 48_000] },
    ],
  });
});

it.each(["4294967295", "-2", "1.5", "x"])("refuses a segment that is repeated %s times", (repeats) => {
  const timeline = `<SegmentTimeline><S d="1" r="${repeats}" /></SegmentTimeline>`;
  const xml = `<MPD><Representation id="0">${timeline}</Representation></MPD>`;
  expect(() => parseManifest(xml)).toThrow(MediaError);
});
