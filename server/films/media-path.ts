import { extname } from "node:path";
import TYPES from "../../transport/media_server/media_types.json" with { type: "json" };

/** Of the files of a film, by their endings. */
const MEDIA_TYPES: Readonly<Record<string, string>> = TYPES;

/** Of media/, beside the manifest: of JSON nothing else is served. */
const QUALITY_FILE = "quality.json";

const MOST_PARTS = 16;
const LONGEST_PART = 255;

/** Whether a relative path can be that of a film's file: no hidden one, no parent, an ending that media have, or quality.json. */
export function isMediaPath(path: string): boolean {
  const parts = path.split("/");
  return (
    parts.length <= MOST_PARTS && parts.every(isPlain) && (mediaType(path) !== null || isQualityFile(path))
  );
}

/** By its ending, as the field Content-Type has it; null where it is none of a film's. */
export function mediaType(path: string): string | null {
  return MEDIA_TYPES[extname(path).toLowerCase()] ?? null;
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
