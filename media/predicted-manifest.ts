/** Parts of a second that a container's promise may be wrong by: a segment that never comes would end the film with an error. */
const CAUTION_SECONDS = 0.5;

/**
 * A manifest of ffmpeg that is still encoding, as if all were there: of the length that the container promises, with segments
 * of one length that are numbered on. Players ask for what they play; whoever serves it answers once it is there.
 */
export function predictManifest(
  xml: string,
  { expectedSeconds, segmentSeconds }: { readonly expectedSeconds: number; readonly segmentSeconds: number },
): string {
  const segments = Math.max(1, Math.ceil((expectedSeconds - CAUTION_SECONDS) / segmentSeconds));
  const seconds = Math.min(expectedSeconds, segments * segmentSeconds).toFixed(3);
  return xml
    .replace(
      /type="dynamic"[\s\S]*?(?=\s+maxSegmentDuration)/,
      `type="static"\n\tmediaPresentationDuration="PT${seconds}S"`,
    )
    .replaceAll(
      /<SegmentTemplate timescale="(\d+)"([^>]*)>\s*<SegmentTimeline>[\s\S]*?<\/SegmentTimeline>\s*<\/SegmentTemplate>/g,
      (_all, timescale: string, rest: string) =>
        `<SegmentTemplate timescale="${timescale}" duration="${Math.round(segmentSeconds * Number(timescale))}"${rest}/>`,
    );
}

/** Whether each representation has its first segment. */
export function hasBegun(xml: string): boolean {
  const representations = xml.split("<Representation ").slice(1);
  return xml.includes("</MPD>") && representations.every((text) => /mimeType="text\/|<S /.test(text));
}
