/** For tests: an MPD around what a period holds. */
export function mpd(
  period: string,
  attributes = 'type="static" mediaPresentationDuration="PT1M4.5S"',
): string {
  return `<?xml version="1.0"?><!-- one --><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" ${attributes}>${period}</MPD>`;
}

/** Of a film of segments beside the manifest. */
export const SEGMENTED =
  '<Period><AdaptationSet contentType="video"><Representation id="0">' +
  '<SegmentTemplate media="seg-$Number$.m4s" initialization="init.mp4"/></Representation></AdaptationSet></Period>';
