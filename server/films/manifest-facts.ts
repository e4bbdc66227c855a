import { parseXml, type XmlNode } from "@svta/cml-xml";
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
  const nodes = [...descendants(root)];
  const named = (name: string) => nodes.filter((node) => localName(node) === name);
  const isLive = root.attributes.type === "dynamic";
  const sets = [...named("AdaptationSet"), ...named("Representation")];
  return {
    title: textOf(named("Title")[0]) || null,
    durationSeconds: isLive ? null : lengthOf(root, named("Period")),
    isLive,
    hasVideo: sets.some((set) => isOf(set, "video", VIDEO_CODECS)),
    isByRange: named("SegmentBase").length > 0,
    isEncrypted: isEncrypted(named("AdaptationSet")),
    locations: [
      ...named("BaseURL").map(textOf),
      ...nodes.flatMap(({ attributes }) => LOCATIONS.map((name) => attributes[name] ?? "")),
    ].filter((location) => location !== ""),
    mediaFiles: mediaFilesOf(named("AdaptationSet")),
  };
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

/** Of segments; or of whole files, where there are none. */
function mediaFilesOf(sets: readonly XmlNode[]): string[] {
  const nodes = sets.filter(hasPicturesOrSound).flatMap((set) => [...descendants(set)]);
  const named = nodes.flatMap(({ attributes }) => [attributes.media ?? "", attributes.sourceURL ?? ""]);
  const segments = named.filter((file) => file !== "");
  const representations = nodes.filter((node) => localName(node) === "Representation");
  const whole = representations.flatMap(({ childNodes }) =>
    childNodes.filter((node) => localName(node) === "BaseURL").map(textOf),
  );
  const files = segments.length > 0 ? segments : whole;
  return files.filter((file) => file !== "" && !file.endsWith("/") && !/^https?:/i.test(file));
}

function hasPicturesOrSound(set: XmlNode): boolean {
  return [set, ...descendants(set)].some(
    (node) => isOf(node, "video", VIDEO_CODECS) || isOf(node, "audio", /^mp4a/),
  );
}

function isEncrypted(sets: readonly XmlNode[]): boolean {
  const video = sets.filter((set) =>
    [set, ...descendants(set)].some((node) => isOf(node, "video", VIDEO_CODECS)),
  );
  const isProtected = (set: XmlNode) =>
    [...descendants(set)].some((node) => localName(node) === "ContentProtection");
  return video.length > 0 && video.every(isProtected);
}

function* descendants(node: XmlNode): Generator<XmlNode> {
  for (const child of node.childNodes) {
    yield child;
    yield* descendants(child);
  }
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
