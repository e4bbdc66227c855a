import { extname } from "node:path";

/** Of the files of a film, by their endings, as the media server has them (transport/media_server/content.py). */
export const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".mpd": "application/dash+xml",
  ".m3u8": "application/vnd.apple.mpegurl",
  ".m4s": "video/iso.segment",
  ".mp4": "video/mp4",
  ".m4v": "video/mp4",
  ".m4a": "audio/mp4",
  ".cmfv": "video/mp4",
  ".cmfa": "audio/mp4",
  ".cmft": "application/mp4",
  ".webm": "video/webm",
  ".ts": "video/mp2t",
  ".vtt": "text/vtt",
  ".ttml": "application/ttml+xml",
};

/** Of media/, beside the manifest: of JSON nothing else is served. */
const QUALITY_FILE = "quality.json";

const MOST_PARTS = 16;
const LONGEST_PART = 255;

/** Whether a relative path can be that of a film's file: no hidden one, no parent, an ending that media have, or quality.json. */
export function isMediaPath(path: string): boolean {
  const parts = path.split("/");
  return (
    parts.length <= MOST_PARTS &&
    parts.every(isPlain) &&
    (extname(path) in MEDIA_TYPES || isQualityFile(path))
  );
}

/** Whether it says how good a film looks. */
export function isQualityFile(path: string): boolean {
  return path.split("/").at(-1) === QUALITY_FILE;
}

function isPlain(part: string): boolean {
  const isControl = (character: string) => character < " ";
  return (
    part !== "" &&
    part.length <= LONGEST_PART &&
    !part.startsWith(".") &&
    !part.includes("\\") &&
    ![...part].some(isControl)
  );
}
