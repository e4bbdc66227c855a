import { parseManifest } from "../../../../media/manifest.ts";
import { MediaError } from "../../../../media/media-error.ts";
import { damagedBytes, textOf } from "../inputs.ts";
import { type NodeTarget, parser } from "../target.ts";

const MPD = `<?xml version="1.0" encoding="utf-8"?>
<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT1H2M3.5S" minBufferTime="PT4.0S">
 <Period id="0" start="PT0.0S"><AdaptationSet id="0" contentType="video">
  <Representation id="0" mimeType="video/mp4" codecs="avc1.640015" bandwidth="300000" width="320" height="180">
   <SegmentTemplate timescale="12288" initialization="init-$RepresentationID$.m4s" media="seg-$Number$.m4s" startNumber="1">
    <SegmentTimeline><S t="0" d="24576" r="13" /><S d="12288" /></SegmentTimeline>
   </SegmentTemplate></Representation></AdaptationSet>
  <AdaptationSet id="1" contentType="audio"><Representation id="1" mimeType="audio/mp4" bandwidth="96000">
   <SegmentTemplate timescale="44100"><SegmentTimeline><S t="0" d="88200" r="2"/></SegmentTimeline></SegmentTemplate>
  </Representation></AdaptationSet></Period></MPD>`;

/** What is read of a packaged film's manifest. */
export const manifests: NodeTarget = {
  name: "manifests",
  inputs: damagedBytes([new TextEncoder().encode(MPD)]),
  inputsEach: 100_000,
  open: parser(
    (data) => parseManifest(textOf(data)),
    (error) => error instanceof MediaError,
  ),
};
