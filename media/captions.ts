import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withoutDrawings } from "./ass-drawings.ts";
import { diskFullError, isNearlyFull } from "./disk-space.ts";
import { MediaError } from "./media-error.ts";
import { runFfmpeg } from "./run-ffmpeg.ts";
import type { ProbedTrack, TrackName } from "./tracks.ts";

/** One file of captions in a presentation. */
export interface CaptionFile extends TrackName {
  readonly file: string;
}

interface CaptionWork {
  readonly ffmpegPath: string;
  readonly inputArguments: readonly string[];
  readonly workingDirectory: string;
  readonly filmName: string;
  readonly signal?: AbortSignal | undefined;
}

interface Caption extends CaptionFile {
  readonly track: ProbedTrack;
}

export interface WrittenCaptions {
  /** Without those that say nothing. */
  readonly captions: readonly CaptionFile[];
  /** Sentences about those that could not be read as they are. */
  readonly notes: readonly string[];
}

/** What text that is no UTF-8 is taken for, by its language. */
const CHARSETS: readonly (readonly [string, readonly string[]])[] = [
  ["CP1250", ["cs", "hr", "hu", "pl", "ro", "sk", "sl"]],
  ["CP1251", ["be", "bg", "mk", "ru", "sr", "uk"]],
  ["CP1253", ["el"]],
  ["CP1254", ["tr"]],
  ["CP1255", ["he"]],
  ["CP1256", ["ar", "fa"]],
  ["CP1257", ["et", "lt", "lv"]],
  ["CP1258", ["vi"]],
  ["CP874", ["th"]],
  ["CP932", ["ja"]],
  ["CP949", ["ko"]],
];
const WESTERN = "CP1252";
const CHINESE = new Map([
  ["Hans", "GB18030"],
  ["Hant", "BIG5"],
]);

/** Writes each track as WebVTT into the folder: before the pictures, so that they are whole from the first one on. */
export async function writeCaptions(
  tracks: readonly ProbedTrack[],
  names: readonly TrackName[],
  work: CaptionWork,
): Promise<WrittenCaptions> {
  const all: Caption[] = tracks.flatMap((track, index) => {
    const name = names[index];
    return name === undefined ? [] : [{ ...name, track, file: `captions-${index}.vtt` }];
  });
  const notes: string[] = [];
  let written = all;
  if (all.length > 0 && !(await convert(all, [], work))) {
    written = [];
    for (const caption of all) {
      const note = await convertAlone(caption, work);
      if (note !== null) notes.push(note.text);
      if (note?.isLeftOut !== true) written.push(caption);
    }
  }
  const captions: CaptionFile[] = [];
  for (const { track, ...caption } of written) {
    const path = join(work.workingDirectory, caption.file);
    const text = await readFile(path, "utf8");
    if (!text.startsWith("WEBVTT") && (await isNearlyFull(work.workingDirectory)))
      throw diskFullError(work.filmName);
    const shown = ["ass", "ssa"].includes(track.codec) ? withoutDrawings(text) : text;
    if (shown !== text) await writeFile(path, shown);
    if (shown.includes("-->")) captions.push(caption);
  }
  return { captions, notes };
}

/** As UTF-8, or else as what its language is written in where it is not. */
async function convertAlone(
  caption: Caption,
  work: CaptionWork,
): Promise<{ text: string; isLeftOut: boolean } | null> {
  const { language, label } = caption;
  if (await convert([caption], [], work)) return null;
  const charset = charsetOf(language);
  if (charset === null) {
    const text = `its captions "${label}" are no UTF-8, and how they are written is not known: they are left out`;
    return { text, isLeftOut: true };
  }
  if (await convert([caption], ["-sub_charenc:s", charset], work))
    return { text: `its captions "${label}" are no UTF-8: they are read as ${charset}`, isLeftOut: false };
  return { text: `its captions "${label}" cannot be read: they are left out`, isLeftOut: true };
}

/** Western European where the language is not known, or has its letters; null where it has others. */
function charsetOf(tag: string | undefined): string | null {
  if (tag === undefined) return WESTERN;
  const { language, script = "" } = new Intl.Locale(tag).maximize();
  const known = CHARSETS.find(([, languages]) => languages.includes(language))?.[0] ?? CHINESE.get(script);
  return known ?? (script === "Latn" ? WESTERN : null);
}

/** Whether all of them could be read, and all that they say. */
async function convert(
  captions: readonly Caption[],
  reading: readonly string[],
  { inputArguments, ...work }: CaptionWork,
): Promise<boolean> {
  const outputs = captions.flatMap(({ track, file }) => [
    ...["-map", `0:${track.streamIndex}`, "-c:s", "webvtt", "-f", "webvtt", file],
  ]);
  try {
    const complaints = await runFfmpeg({
      ...work,
      arguments: ["-v", "error", "-y", ...reading, ...inputArguments, ...outputs],
    });
    return !complaints.some((line) => line.includes("Invalid UTF-8"));
  } catch (error) {
    if (error instanceof MediaError && error.kind === "film") return false;
    throw error;
  }
}
