import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CaptionFile } from "./captions.ts";
import type { FrameRate } from "./frame-rate.ts";
import {
  captionPlaylist,
  masterPlaylist,
  mediaPlaylist,
  playlistOf,
  type RepresentationRates,
} from "./hls-playlists.ts";
import { parseManifest } from "./manifest.ts";
import type { TrackName } from "./tracks.ts";

const CAPTION_BITS_PER_SECOND = 256;

interface NamedTracks {
  readonly audio: readonly TrackName[];
  readonly captions: readonly CaptionFile[];
  readonly frameRate: FrameRate;
  readonly durationSeconds: number;
  readonly representations: readonly RepresentationRates[];
}

/** Completes what ffmpeg wrote into the folder: names of tracks, and in the playlists the rates that were measured. */
export async function nameTracks(directory: string, tracks: NamedTracks): Promise<void> {
  const { audio, captions, durationSeconds, representations } = tracks;
  await rewrite(join(directory, "manifest.mpd"), (xml) =>
    nameTracksInManifest(withLength(xml, durationSeconds), audio, captions),
  );
  await rewrite(join(directory, "master.m3u8"), (text) => masterPlaylist(text, tracks));
  for (const { id } of representations) await rewrite(join(directory, `media_${id}.m3u8`), mediaPlaylist);
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
  const named = preferSecond(truthful(xml)).replaceAll(
    /<AdaptationSet [^>]*contentType="audio"[^>]*>/g,
    (tag) => {
      const name = audio[track++];
      if (name === undefined) return tag;
      const plain = tag.replace(/ lang="[^"]*"/, "");
      const roles = [
        ...(name.isDefault === true ? ["main"] : []),
        ...(name.role === undefined ? [] : [name.role]),
      ];
      return (
        `${plain.slice(0, -1)}${priority(name)}${lang(name)}>\n\t\t\t<Label>${escaped(name.label)}</Label>` +
        roles.map((value) => `\n\t\t\t${role(value)}`).join("")
      );
    },
  );
  const sets = captions.map(
    (caption, index) =>
      `\t\t<AdaptationSet${numberOf(index, captions)} contentType="text" mimeType="text/vtt"${lang(caption)}>\n` +
      `\t\t\t<Label>${escaped(caption.label)}</Label>\n\t\t\t${role(caption.role ?? "subtitle")}\n` +
      `\t\t\t<Representation id="captions-${index}" mimeType="text/vtt" bandwidth="${CAPTION_BITS_PER_SECOND}">\n` +
      `\t\t\t\t<BaseURL>${caption.file}</BaseURL>\n\t\t\t</Representation>\n\t\t</AdaptationSet>\n`,
  );
  return named.replace(/[ \t]*<\/Period>/, (end) => `${sets.join("")}${end}`);
}

function withLength(xml: string, seconds: number): string {
  if (parseManifest(xml).durationSeconds === seconds) return xml;
  return xml.replace(/mediaPresentationDuration="[^"]*"/, `mediaPresentationDuration="PT${seconds}S"`);
}

/** Each rung has a beginning of its own, so none can follow another's; and segments of sound are a frame longer than two seconds. */
function truthful(xml: string): string {
  const longest = parseManifest(xml)
    .representations.flatMap(({ segmentSeconds }) => segmentSeconds)
    .reduce((most, seconds) => Math.max(most, seconds), 0);
  return xml
    .replaceAll(' bitstreamSwitching="true"', "")
    .replace(/maxSegmentDuration="[^"]*"/, `maxSegmentDuration="PT${Math.ceil(1000 * longest) / 1000}S"`);
}

/** Of two codecs the second is played where it can be; players know by this that it is the better one. */
function preferSecond(xml: string): string {
  let sets = 0;
  return xml.replaceAll(/<AdaptationSet [^>]*contentType="video"/g, (tag) =>
    ++sets === 2 ? `${tag} selectionPriority="2"` : tag,
  );
}

/** dash.js tells tracks apart by their numbers, and those without by their languages; only the latter can have names. */
function numberOf(index: number, captions: readonly CaptionFile[]): string {
  const { language: own } = captions[index] ?? {};
  const isAlone = own !== undefined && captions.filter(({ language: other }) => other === own).length === 1;
  return isAlone ? "" : ` id="${100 + index}"`;
}

function lang({ language: tag }: TrackName): string {
  return tag === undefined ? "" : ` lang="${tag}"`;
}

/** Players begin with the one of the highest. */
function priority({ isDefault }: TrackName): string {
  return isDefault === true ? ' selectionPriority="2"' : "";
}

function role(value: string): string {
  return `<Role schemeIdUri="urn:mpeg:dash:role:2011" value="${value}"/>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
