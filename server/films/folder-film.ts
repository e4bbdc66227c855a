import { lstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Problem } from "../problem.mjs";
import { type Film, nameFor } from "./film.ts";
import {
  locationOutside,
  type ManifestFacts,
  ManifestFault,
  manifestFacts,
  originsOf,
  unservedFile,
} from "./manifest-facts.ts";
import { requireNoMixedContent } from "./mixed-content.ts";

const USUAL_MANIFEST = "manifest.mpd";
const MOST_MANIFEST_BYTES = 16 * 1024 * 1024;
const NAMES_SHOWN = 3;
/** That a film is fetched from: each stands in a header of every answer, which clients read up to some KiB of. */
const MOST_SERVERS = 32;

/**
 * A film that is packaged already.
 *
 * @param path of the folder, or of the manifest in it; absolute
 * @param isOverTls whether pages come over HTTPS
 * @throws Problem if there is none that can be played
 */
export function folderFilm(path: string, taken: readonly string[], isOverTls = false): Film {
  const isFolder = statSync(path).isDirectory();
  const directory = isFolder ? path : dirname(path);
  const manifest = isFolder ? manifestIn(path) : basename(path);
  const facts = readManifest(join(directory, manifest));
  const otherOrigins = originsOf(facts);
  if (isOverTls)
    requireNoMixedContent(otherOrigins, `the film ${path}`, "give one of which all comes over HTTPS");
  const title =
    facts.title ?? (manifest === USUAL_MANIFEST ? basename(directory) : basename(manifest, ".mpd"));
  return {
    name: nameFor(title, taken),
    title,
    durationSeconds: facts.durationSeconds,
    manifest,
    directory,
    isPackagedHere: false,
    otherOrigins,
  };
}

/** The usual one, or the only one. */
function manifestIn(folder: string): string {
  const names = namesIn(folder);
  if (names.includes(USUAL_MANIFEST)) return USUAL_MANIFEST;
  const manifests = names.filter((name) => name.endsWith(".mpd"));
  const [only, ...others] = manifests;
  if (only !== undefined && others.length === 0) return only;
  throw new Problem(
    only === undefined
      ? `the folder ${folder} has no manifest (.mpd): it has ${listed(names)}; give the folder of a packaged film`
      : `the folder ${folder} has several manifests, ${listed(manifests)}: give the one to play`,
  );
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Problem(`the folder ${folder} cannot be read (${code}): check its permissions`);
  }
}

function listed(names: readonly string[]): string {
  if (names.length === 0) return "nothing";
  const shown = names.slice(0, NAMES_SHOWN).join(", ");
  return names.length > NAMES_SHOWN ? `${shown} and ${names.length - NAMES_SHOWN} more` : shown;
}

/** As a server of ours gives it away, which follows no link. */
function textOfManifest(path: string): string {
  try {
    const file = lstatSync(path);
    if (file.isSymbolicLink())
      throw new Problem(
        `the manifest ${path} is a link, which no server of ours follows: give the file that it leads to`,
      );
    if (file.size > MOST_MANIFEST_BYTES)
      throw new Problem(`the manifest ${path} is larger than any: give an MPD`);
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Problem) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new Problem(`the manifest ${path} cannot be read (${code}): check its permissions`);
  }
}

function readManifest(path: string): ManifestFacts {
  const facts = requireManifest(textOfManifest(path), path);
  const outside = locationOutside({ locations: facts.locations.filter((place) => !/^https?:/i.test(place)) });
  if (outside !== null)
    throw new Problem(
      `the manifest ${path} names ${outside}, outside its folder: put the film into one folder`,
    );
  requireServed(facts, `the manifest ${path}`);
  return facts;
}

/**
 * @param where its text is, for the sentence
 * @throws Problem if it names files that no server of ours gives away
 */
export function requireServed(facts: Pick<ManifestFacts, "mediaFiles">, where: string): void {
  const unserved = unservedFile(facts);
  if (unserved !== null)
    throw new Problem(
      `${where} names ${unserved}, which has no ending of a film's file: give one whose files end in .m4s or .mp4`,
    );
}

/**
 * @param where of the text, for the sentence
 * @throws Problem if it is no manifest of a film
 */
export function requireManifest(text: string, where: string): ManifestFacts {
  const facts = readFacts(text, where);
  if (facts === null) {
    const beginning = JSON.stringify(text.trimStart().slice(0, 24));
    throw new Problem(`${where} is no MPD, since it begins with ${beginning}: give a DASH manifest`);
  }
  if (!facts.hasVideo) throw new Problem(`${where} names no video: give the manifest of a film`);
  const servers = originsOf(facts);
  if (servers.length > MOST_SERVERS)
    throw new Problem(
      `${where} names ${servers.length} other servers: give one that names ${MOST_SERVERS} at most`,
    );
  if (facts.isEncrypted)
    throw new Problem(`${where} names encrypted video (ContentProtection): give a film without encryption`);
  return facts;
}

function readFacts(text: string, where: string): ManifestFacts | null {
  try {
    return manifestFacts(text);
  } catch (error) {
    if (!(error instanceof ManifestFault)) throw error;
    throw new Problem(`${where} ${error.message}: copy or fetch the whole manifest again`);
  }
}
