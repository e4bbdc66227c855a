import { readdir } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { MediaError } from "./media-error.ts";
import { REPOSITORY } from "./repository.mjs";
import { readFfmpegOutput } from "./run-ffmpeg.ts";
import { VIDEO_CODECS, type VideoCodecName } from "./video-codec.ts";

/** What packaging uses; a build without one of these fails in the middle of a film instead of here. */
const NEEDED_PARTS = [
  { listing: "-encoders", name: "libx264" },
  { listing: "-encoders", name: "aac" },
  { listing: "-muxers", name: "dash" },
  { listing: "-filters", name: "drawtext" },
] as const;

/**
 * The ffmpeg to use: NUWA_FFMPEG, else the one that imageio-ffmpeg put into .venv, else `ffmpeg` on PATH.
 *
 * Throws MediaError when none runs with the encoders, muxer and filter that packaging needs. A NUWA_FFMPEG that
 * does not work is an error at once: another ffmpeg than the one that was asked for would be a surprise.
 */
export async function findFfmpeg(): Promise<string> {
  const chosen = process.env.NUWA_FFMPEG;
  if (chosen !== undefined && chosen !== "") {
    const fault = await faultOf(chosen);
    // Packaging runs in another folder, where a relative path would lead nowhere.
    if (fault === undefined) return basename(chosen) === chosen ? chosen : resolve(chosen);
    throw new MediaError(`NUWA_FFMPEG=${chosen} ${fault}; set it to a complete ffmpeg or unset it.`);
  }
  const faults: string[] = [];
  for (const candidate of [...(await bundledFfmpegs(join(REPOSITORY, ".venv"))), "ffmpeg"]) {
    const fault = await faultOf(candidate);
    if (fault === undefined) return candidate;
    faults.push(`${candidate} ${fault}`);
  }
  throw new MediaError(
    `No usable ffmpeg was found (${faults.join("; ")}); run \`npm start\`, which installs one, or set NUWA_FFMPEG.`,
  );
}

/** The first line of `ffmpeg -version` without its copyright: part of what identifies a packaged film. */
export async function ffmpegVersion(ffmpegPath: string): Promise<string> {
  const output = await readFfmpegOutput(ffmpegPath, ["-version"]);
  const version = /^ffmpeg version (\S+)/m.exec(output.text)?.[1];
  if (version === undefined) {
    throw new MediaError(
      `${ffmpegPath} does not tell an ffmpeg version; set NUWA_FFMPEG to an ffmpeg that runs.`,
    );
  }
  return version;
}

/** Throws MediaError where this ffmpeg was built without the codec's encoder. */
export async function requireEncoder(name: VideoCodecName, ffmpegPath: string): Promise<void> {
  const { title, encoder } = VIDEO_CODECS[name];
  const { text } = await readFfmpegOutput(ffmpegPath, ["-hide_banner", "-encoders"]);
  if (isListed(encoder, text)) return;
  throw new MediaError(
    `${ffmpegPath} cannot encode ${title} (it lacks ${encoder}); leave --codec out, or set NUWA_FFMPEG to one that can.`,
  );
}

/** Throws MediaError where this ffmpeg was built without a filter that packaging alone does not need. */
export async function requireFilter(name: string, ffmpegPath: string): Promise<void> {
  if (await hasFilter(name, ffmpegPath)) return;
  throw new MediaError(
    `${ffmpegPath} cannot measure quality (it lacks ${name}); leave --quality out, or set NUWA_FFMPEG to one that can.`,
  );
}

export async function hasFilter(name: string, ffmpegPath: string): Promise<boolean> {
  const { text } = await readFfmpegOutput(ffmpegPath, ["-hide_banner", "-filters"]);
  return isListed(name, text);
}

/** Undefined when this ffmpeg has everything; otherwise the end of a sentence that says what is wrong. */
async function faultOf(ffmpegPath: string): Promise<string | undefined> {
  const listings = [...new Set(NEEDED_PARTS.map((part) => part.listing))];
  let texts: Map<string, string>;
  try {
    const outputs = await Promise.all(
      listings.map((listing) => readFfmpegOutput(ffmpegPath, ["-hide_banner", listing])),
    );
    texts = new Map(listings.map((listing, index) => [listing, outputs[index]?.text ?? ""]));
  } catch (error) {
    if (error instanceof MediaError) return "cannot be run";
    throw error;
  }
  const missing = NEEDED_PARTS.filter((part) => !isListed(part.name, texts.get(part.listing) ?? ""));
  return missing.length === 0 ? undefined : `lacks ${missing.map((part) => part.name).join(", ")}`;
}

function isListed(name: string, listing: string): boolean {
  return new RegExp(`^\\s*\\S+\\s+${name}\\s`, "m").test(listing);
}

async function bundledFfmpegs(virtualEnvironment: string): Promise<string[]> {
  const libraries = await entriesOf(join(virtualEnvironment, "lib"));
  const sitePackages = libraries.map((python) => join(virtualEnvironment, "lib", python, "site-packages"));
  const found: string[] = [];
  for (const packages of sitePackages) {
    const folder = join(packages, "imageio_ffmpeg", "binaries");
    const names = await entriesOf(folder);
    found.push(...names.filter((name) => name.startsWith("ffmpeg-")).map((name) => join(folder, name)));
  }
  return found;
}

async function entriesOf(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
