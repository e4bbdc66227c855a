import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CaptionFile } from "./captions.ts";
import type { TrackName } from "./tracks.ts";

const CAPTION_BITS_PER_SECOND = 256;
const SUBTITLE_ROLE = '<Role schemeIdUri="urn:mpeg:dash:role:2011" value="subtitle"/>';
const SUBTITLE_GROUP = "captions";

interface NamedTracks {
  readonly audio: readonly TrackName[];
  readonly captions: readonly CaptionFile[];
  readonly durationSeconds: number;
}

/** Writes the names of sound tracks and captions into the folder's manifest and playlists. */
export async function nameTracks(
  directory: string,
  { audio, captions, durationSeconds }: NamedTracks,
): Promise<void> {
  await rewrite(join(directory, "manifest.mpd"), (xml) => nameTracksInManifest(xml, audio, captions));
  await rewrite(join(directory, "master.m3u8"), (text) => nameTracksInPlaylist(text, audio, captions));
  for (const caption of captions)
    await writeFile(join(directory, playlistOf(caption)), captionPlaylist(caption, durationSeconds));
}

async function rewrite(path: string, change: (text: string) => string): Promise<void> {
  await writeFile(path, change(await readFile(path, "utf8")));
}

/** A manifest of ffmpeg with the sound tracks' names, and with the captions, which it cannot write. */
export function nameTracksInManifest(
  xml: string,
  audio: readonly TrackName[],
  captions: readonly CaptionFile[],
): string {
  let track = 0;
  const named = preferSecond(xml).replaceAll(/<AdaptationSet [^>]*contentType="audio"[^>]*>/g, (tag) => {
    const name = audio[track++];
    if (name === undefined) return tag;
    const plain = tag.replace(/ lang="[^"]*"/, "");
    return `${plain.slice(0, -1)}${lang(name)}>\n\t\t\t<Label>${escaped(name.label)}</Label>`;
  });
  const sets = captions.map(
    (caption, index) =>
      `\t\t<AdaptationSet${numberOf(index, captions)} contentType="text" mimeType="text/vtt"${lang(caption)}>\n` +
      `\t\t\t<Label>${escaped(caption.label)}</Label>\n\t\t\t${SUBTITLE_ROLE}\n` +
      `\t\t\t<Representation id="captions-${index}" mimeType="text/vtt" bandwidth="${CAPTION_BITS_PER_SECOND}">\n` +
      `\t\t\t\t<BaseURL>${caption.file}</BaseURL>\n\t\t\t</Representation>\n\t\t</AdaptationSet>\n`,
  );
  return named.replace(/[ \t]*<\/Period>/, (end) => `${sets.join("")}${end}`);
}

/** Of two codecs the second is played where it can be; players know by this that it is the better one. */
function preferSecond(xml: string): string {
  let sets = 0;
  return xml.replaceAll(/<AdaptationSet [^>]*contentType="video"/g, (tag) =>
    ++sets === 2 ? `${tag} selectionPriority="2"` : tag,
  );
}

/** The same for the master playlist of HLS (RFC 8216 section 4.3.4.1). */
export function nameTracksInPlaylist(
  playlist: string,
  audio: readonly TrackName[],
  captions: readonly CaptionFile[],
): string {
  let track = 0;
  const lines = playlist.split("\n").map((line) => {
    if (line.startsWith("#EXT-X-STREAM-INF:") && captions.length > 0)
      return `${line},SUBTITLES="${SUBTITLE_GROUP}"`;
    const name = line.startsWith("#EXT-X-MEDIA:TYPE=AUDIO") ? audio[track++] : undefined;
    if (name === undefined) return line;
    return line
      .replace(/,LANGUAGE="[^"]*"/, "")
      .replace(/,DEFAULT=\w+/, `,DEFAULT=${track === 1 ? "YES" : "NO"},AUTOSELECT=YES`)
      .replace(/NAME="[^"]*"/, `NAME="${quoted(name.label)}"${language(name)}`);
  });
  const media = captions.map(
    (caption) =>
      `#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="${SUBTITLE_GROUP}",NAME="${quoted(caption.label)}"${language(caption)},` +
      `DEFAULT=NO,AUTOSELECT=YES,URI="${playlistOf(caption)}"`,
  );
  const afterVersion = lines.findIndex((line) => line.startsWith("#EXT-X-VERSION")) + 1;
  return [...lines.slice(0, afterVersion), ...media, ...lines.slice(afterVersion)].join("\n");
}

/** dash.js tells tracks apart by their numbers, and those without by their languages; only the latter can have names. */
function numberOf(index: number, captions: readonly CaptionFile[]): string {
  const { language: own } = captions[index] ?? {};
  const isAlone = own !== undefined && captions.filter(({ language: other }) => other === own).length === 1;
  return isAlone ? "" : ` id="${100 + index}"`;
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

function lang({ language: tag }: TrackName): string {
  return tag === undefined ? "" : ` lang="${tag}"`;
}

function language({ language: tag }: TrackName): string {
  return tag === undefined ? "" : `,LANGUAGE="${tag}"`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

/** A quoted string has no quote and no line break. */
function quoted(text: string): string {
  return text.replaceAll(/["\r\n]/g, "'");
}
