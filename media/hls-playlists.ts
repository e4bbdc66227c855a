import type { CaptionFile } from "./captions.ts";
import type { FrameRate } from "./frame-rate.ts";
import type { TrackName } from "./tracks.ts";

const SUBTITLE_GROUP = "captions";

/** What was measured of a representation. */
export interface RepresentationRates {
  readonly id: string;
  readonly type: "video" | "audio";
  readonly averageBitsPerSecond: number;
  readonly peakBitsPerSecond: number;
}

interface NamedTracks {
  readonly audio: readonly TrackName[];
  readonly captions: readonly CaptionFile[];
  readonly frameRate: FrameRate;
  readonly representations: readonly RepresentationRates[];
}

/** ffmpeg's master playlist with the names of tracks, and with the rates of variants as they were measured. */
export function masterPlaylist(
  playlist: string,
  { audio, captions, frameRate, representations }: NamedTracks,
): string {
  const first = Math.max(
    0,
    audio.findIndex(({ isDefault }) => isDefault === true),
  );
  let track = 0;
  const lines = playlist.split("\n").map((line, at, all) => {
    if (line.startsWith("#EXT-X-STREAM-INF:")) {
      const rates = ratesOf(representationOf(all[at + 1]), representations);
      const subtitles = captions.length === 0 ? "" : `,SUBTITLES="${SUBTITLE_GROUP}"`;
      return `${line.replace(/BANDWIDTH=\d+/, rates)},FRAME-RATE=${frameRateOf(frameRate)}${subtitles}`;
    }
    const name = line.startsWith("#EXT-X-MEDIA:TYPE=AUDIO") ? audio[track++] : undefined;
    if (name === undefined) return line;
    return line
      .replace(/,LANGUAGE="[^"]*"/, "")
      .replace(
        /,DEFAULT=\w+/,
        `,DEFAULT=${track - 1 === first ? "YES" : "NO"},AUTOSELECT=YES${purpose(name)}`,
      )
      .replace(/NAME="[^"]*"/, () => `NAME="${quoted(name.label)}"${language(name)}`);
  });
  const media = captions.map(
    (caption) =>
      `#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="${SUBTITLE_GROUP}",NAME="${quoted(caption.label)}"${language(caption)},` +
      `DEFAULT=NO,AUTOSELECT=YES${purpose(caption)},URI="${playlistOf(caption)}"`,
  );
  const afterVersion = lines.findIndex((line) => line.startsWith("#EXT-X-VERSION")) + 1;
  return [
    ...lines.slice(0, afterVersion),
    "#EXT-X-INDEPENDENT-SEGMENTS",
    ...media,
    ...lines.slice(afterVersion),
  ].join("\n");
}

/** RFC 8216 section 4.3.4.1. */
function purpose({ role }: TrackName): string {
  switch (role) {
    case "forced-subtitle":
      return ",FORCED=YES";
    case "caption":
      return ',CHARACTERISTICS="public.accessibility.transcribes-spoken-dialog,public.accessibility.describes-music-and-sound"';
    case "description":
      return ',CHARACTERISTICS="public.accessibility.describes-video"';
    default:
      return "";
  }
}

/** By the name of its playlist. */
function representationOf(uri: string | undefined): string | undefined {
  return /^media_(.+)\.m3u8$/.exec(uri ?? "")?.[1];
}

/** A variant's, with its sound: a player must be able to count on the first (RFC 8216 section 4.3.4.2). */
function ratesOf(id: string | undefined, representations: readonly RepresentationRates[]): string {
  const parts = [
    representations.filter((each) => each.id === id),
    representations.filter(({ type }) => type === "audio"),
  ];
  const highest = (rate: (each: RepresentationRates) => number) =>
    parts.reduce((sum, part) => sum + Math.max(0, ...part.map(rate)), 0);
  const peak = highest(({ peakBitsPerSecond }) => peakBitsPerSecond);
  const average = highest(({ averageBitsPerSecond }) => averageBitsPerSecond);
  return `BANDWIDTH=${peak},AVERAGE-BANDWIDTH=${average}`;
}

function frameRateOf({ numerator, denominator }: FrameRate): string {
  return (numerator / denominator).toFixed(3);
}

/** ffmpeg's playlist of one representation, as that of a film on demand: without the dates of its encoding. */
export function mediaPlaylist(playlist: string): string {
  return playlist
    .replaceAll(/^#EXT-X-PROGRAM-DATE-TIME:.*\n/gm, "")
    .replace(/^#EXT-X-TARGETDURATION:.*\n/m, (line) => `${line}#EXT-X-PLAYLIST-TYPE:VOD\n`);
}

export function playlistOf({ file }: CaptionFile): string {
  return file.replace(/\.vtt$/, ".m3u8");
}

/** One segment: the whole file. */
export function captionPlaylist({ file }: CaptionFile, durationSeconds: number): string {
  return [
    ...["#EXTM3U", "#EXT-X-VERSION:7", `#EXT-X-TARGETDURATION:${Math.ceil(durationSeconds)}`],
    ...["#EXT-X-PLAYLIST-TYPE:VOD", `#EXTINF:${durationSeconds},`, file, "#EXT-X-ENDLIST", ""],
  ].join("\n");
}

function language({ language: tag }: TrackName): string {
  return tag === undefined ? "" : `,LANGUAGE="${tag}"`;
}

/** A quoted string has no quote and no line break. */
function quoted(text: string): string {
  return text.replaceAll(/["\r\n]/g, "'");
}
