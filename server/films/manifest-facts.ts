import { parseXml, type XmlNode } from "@svta/cml-xml";
import { plainTitle } from "./film.ts";
import { mediaType } from "./media-path.ts";
import { xmlFault } from "./well-formed.ts";

/** What must be known of an MPD from anywhere before it is played (ISO/IEC 23009-1). */
export interface ManifestFacts {
  readonly title: string | null;
  /** null for one that goes on. */
  readonly durationSeconds: number | null;
  readonly isLive: boolean;
  readonly hasVideo: boolean;
  /** Whether a representation is one file, of which players ask for ranges. */
  readonly isByRange: boolean;
  /** Whether all of its pictures are (ContentProtection). */
  readonly isEncrypted: boolean;
  /** As they are written: of files, folders and templates. */
  readonly locations: readonly string[];
  /** Those among them that files of pictures and sound have. */
  readonly mediaFiles: readonly string[];
}

const LOCATIONS = ["media", "initialization", "sourceURL", "index"];

/** What an MPD's text cannot be read for: a clause without a subject. */
export class ManifestFault extends Error {
  override readonly name = "ManifestFault";
}

/**
 * @returns null if the text is no MPD
 * @throws ManifestFault if it is a damaged one
 */
export function manifestFacts(text: string): ManifestFacts | null {
  if (!/<(?:\w+:)?MPD[\s>]/.test(text)) return null;
  const fault = xmlFault(text);
  if (fault !== null) throw new ManifestFault(fault);
  const root = parseXml(text).childNodes.find((node) => localName(node) === "MPD");
  if (root === undefined) return null;
  const found = wholeOf(root);
  const isLive = root.attributes.type === "dynamic";
  const videoSets = found.sets.filter(({ hasVideo }) => hasVideo);
  return {
    title: plainTitle(textOf(found.title)) || null,
    durationSeconds: isLive ? null : lengthOf(root, found.periods),
    isLive,
    hasVideo: found.hasVideo,
    isByRange: found.isByRange,
    isEncrypted: videoSets.length > 0 && videoSets.every(({ isProtected }) => isProtected),
    locations: [...found.bases, ...found.addresses].filter((location) => location !== ""),
    mediaFiles: mediaFilesOf(found.sets),
  };
}

/** From when a live film's times count, as its manifest writes it; another one begins another film. Null where nothing is. */
export function availabilityStartTimeOf(text: string): string | null {
  const tag = /<(?:\w+:)?MPD\s[^>]*/.exec(text)?.[0] ?? "";
  return /\savailabilityStartTime\s*=\s*(["'])(.*?)\1/s.exec(tag)?.[2] ?? null;
}

/** Of the absolute URLs among the locations. */
export function originsOf({ locations }: Pick<ManifestFacts, "locations">): string[] {
  const absolute = locations.filter((location) => /^https?:\/\//i.test(location) && URL.canParse(location));
  return [...new Set(absolute.map((location) => new URL(location).origin))];
}

/** The first location that is not below the manifest's own folder; null where all are. */
export function locationOutside({ locations }: Pick<ManifestFacts, "locations">): string | null {
  return (
    locations.find(
      (location) => /^[/\\]|^[a-z][a-z0-9+.-]*:/i.test(location) || location.split(/[/\\]/).includes(".."),
    ) ?? null
  );
}

/** The first file of pictures or sound beside the manifest that has an ending which is never served; null where all are. */
export function unservedFile({ mediaFiles }: Pick<ManifestFacts, "mediaFiles">): string | null {
  return mediaFiles.find((file) => mediaType(file.replace(/[?#].*$/s, "")) === null) ?? null;
}

/** What an adaptation set says, and all within it. */
interface SetFacts {
  hasVideo: boolean;
  hasSound: boolean;
  isProtected: boolean;
  /** Whether it names files of segments, wherever. */
  hasSegments: boolean;
  /** Files of segments and whole ones, without those of other servers. */
  readonly segments: string[];
  readonly whole: string[];
}

/** An element that is still to be looked at, and what those around it say. */
interface Place {
  readonly node: XmlNode;
  /** The outermost: sets within another count for nothing by themselves. */
  readonly set: SetFacts | null;
  /** Whether what is relative is so to another server's address. */
  readonly isElsewhere: boolean;
}

/** Looks at each element once, in their order: however they nest, the time goes by the text's length. */
function wholeOf(root: XmlNode) {
  const sets: SetFacts[] = [];
  const periods: XmlNode[] = [];
  const bases: string[] = [];
  const addresses: string[] = [];
  let title: XmlNode | undefined;
  let hasVideo = false;
  let isByRange = false;
  const places = placesIn({ node: root, set: null, isElsewhere: isBasedElsewhere(root) });
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    const { node } = place;
    const name = localName(node);
    let { set } = place;
    if (name === "AdaptationSet" && set === null) {
      set = emptySet();
      sets.push(set);
    }
    if (name === "Title") title ??= node;
    if (name === "Period") periods.push(node);
    if (name === "SegmentBase") isByRange = true;
    if (name === "BaseURL") bases.push(textOf(node));
    addresses.push(...LOCATIONS.map((location) => node.attributes[location] ?? ""));
    const isVideo = isOf(node, "video", VIDEO_CODECS);
    if (name === "AdaptationSet" || name === "Representation") hasVideo ||= isVideo;
    const inside = { node, set, isElsewhere: place.isElsewhere || isBasedElsewhere(node) };
    if (set !== null) tellSet(set, inside, isVideo);
    for (const inner of placesIn(inside)) places.push(inner);
  }
  return { sets, periods, bases, addresses, title, hasVideo, isByRange };
}

/** Those within an element, last first. */
function placesIn({ node, set, isElsewhere }: Place): Place[] {
  return node.childNodes.map((child) => ({ node: child, set, isElsewhere })).reverse();
}

function emptySet(): SetFacts {
  return {
    hasVideo: false,
    hasSound: false,
    isProtected: false,
    hasSegments: false,
    segments: [],
    whole: [],
  };
}

function tellSet(set: SetFacts, { node, isElsewhere }: Place, isVideo: boolean): void {
  set.hasVideo ||= isVideo;
  set.hasSound ||= isOf(node, "audio", /^mp4a/);
  set.isProtected ||= localName(node) === "ContentProtection";
  const { media = "", sourceURL = "" } = node.attributes;
  const segments = [media, sourceURL].filter((file) => file !== "");
  set.hasSegments ||= segments.length > 0;
  if (isElsewhere) return;
  set.segments.push(...segments);
  if (localName(node) === "Representation") set.whole.push(...basesOf(node));
}

/** Whether its BaseURLs (ISO/IEC 23009-1 section 5.6) are all of other servers. */
function isBasedElsewhere(node: XmlNode): boolean {
  const bases = basesOf(node);
  return bases.length > 0 && bases.every(isAbsolute);
}

function basesOf({ childNodes }: XmlNode): string[] {
  return childNodes.filter((child) => localName(child) === "BaseURL").map(textOf);
}

function isAbsolute(location: string): boolean {
  return /^https?:/i.test(location);
}

/** Of segments; or of whole files, where there are none. */
function mediaFilesOf(sets: readonly SetFacts[]): string[] {
  const played = sets.filter(({ hasVideo, hasSound }) => hasVideo || hasSound);
  const hasSegments = played.some((set) => set.hasSegments);
  const files = played.flatMap(({ segments, whole }) => (hasSegments ? segments : whole));
  return files.filter((file) => file !== "" && !file.endsWith("/") && !isAbsolute(file));
}

function localName({ nodeName }: XmlNode): string {
  return nodeName.replace(/^.*:/, "");
}

function textOf(node: XmlNode | undefined): string {
  return (node?.childNodes ?? [])
    .map(({ nodeValue }) => nodeValue ?? "")
    .join("")
    .trim();
}

const VIDEO_CODECS = /^(avc|hvc|hev|av01|vp0?[89]|vvc)/;

function isOf({ attributes }: XmlNode, kind: "video" | "audio", codecsOfKind: RegExp): boolean {
  const { contentType = "", mimeType = "", codecs = "" } = attributes;
  return contentType === kind || mimeType.startsWith(`${kind}/`) || codecsOfKind.test(codecs);
}

/** Of the whole, or of all its periods (ISO/IEC 23009-1 section 5.3.2.1). */
function lengthOf({ attributes }: XmlNode, periods: readonly XmlNode[]): number | null {
  const whole = secondsOf(attributes.mediaPresentationDuration);
  if (whole !== null || periods.length === 0) return whole;
  return periods
    .map((period) => secondsOf(period.attributes.duration))
    .reduce((sum, seconds) => (sum === null || seconds === null ? null : sum + seconds), 0);
}

/** A duration of XML Schema without years and months, which have no length in seconds. */
function secondsOf(duration: string | undefined): number | null {
  const match = /^P(?:0+Y)?(?:0+M)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d*)?|\.\d+)S)?)?$/.exec(
    duration ?? "",
  );
  if (match === null) return null;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0));
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
}
