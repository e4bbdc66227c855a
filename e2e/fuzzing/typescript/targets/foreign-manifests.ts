import {
  ManifestFault,
  manifestFacts,
  originsOf,
  unservedFile,
} from "../../../../server/films/manifest-facts.ts";
import { damagedBytes, textOf } from "../inputs.ts";
import { type NodeTarget, parser } from "../target.ts";

const MPD = `<?xml version="1.0" encoding="utf-8"?><!-- from elsewhere -->
<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="P0Y0M0DT1H2M3.5S">
 <ProgramInformation><Title><![CDATA[A & B]]></Title></ProgramInformation><BaseURL>https://cdn.example/a/</BaseURL>
 <Period id='0' duration="PT30S"><AdaptationSet contentType="video" mimeType="video/mp4"><ContentProtection value="cenc"/>
  <SegmentTemplate media="s-$Number%05d$.m4s" initialization="i.mp4"><SegmentTimeline><S t="0" d="2" r="9"/></SegmentTimeline>
  </SegmentTemplate><Representation id="v" codecs="avc1.64001f" bandwidth="1"/></AdaptationSet>
  <AdaptationSet mimeType="audio/mp4"><Representation id="a"><BaseURL>a.mp4</BaseURL><SegmentBase indexRange="0-99"/>
  </Representation></AdaptationSet></Period></MPD>`;

/** What is read of the manifest of a film that was packaged elsewhere. */
export const foreignManifests: NodeTarget = {
  name: "foreign-manifests",
  inputs: damagedBytes([new TextEncoder().encode(MPD)]),
  inputsEach: 100_000,
  open: parser(
    (data) => {
      const facts = manifestFacts(textOf(data));
      return facts === null ? null : [originsOf(facts), unservedFile(facts)];
    },
    (error) => error instanceof ManifestFault,
  ),
};
