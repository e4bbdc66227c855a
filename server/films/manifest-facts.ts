import { parseXml, type XmlNode } from "@svta/cml-xml";

/** What must be known of an MPD from anywhere before it is played (ISO/IEC 23009-1). */
export interface ManifestFacts {
  readonly title: string | null;
  /** null for one that goes on. */
  readonly durationSeconds: number | null;
  readonly isLive: boolean;
  readonly hasVideo: boolean;
  /** Whether a representation is one file, of which players ask for ranges. */
  readonly isByRange: boolean;
  /** As they are written: of files, folders and templates. */
  readonly locations: readonly string[];
}

const LOCATIONS = ["media", "initialization", "sourceURL", "index"];

/** @returns null if the text is no MPD */
export function manifestFacts(text: string): ManifestFacts | null {
  if (!/<(?:\w+:)?MPD[\s>]/.test(text)) return null;
  const root = parseXml(text).childNodes.find((node) => localName(node) === "MPD");
  if (root === undefined) return null;
  const nodes = [...descendants(root)];
  const named = (name: string) => nodes.filter((node) => localName(node) === name);
  const isLive = root.attributes.type === "dynamic";
  const sets = [...named("AdaptationSet"), ...named("Representation")];
  return {
    title: textOf(named("Title")[0]) || null,
    durationSeconds: isLive ? null : secondsOf(root.attributes.mediaPresentationDuration),
    isLive,
    hasVideo: sets.some(isVideo),
    isByRange: named("SegmentBase").length > 0,
    locations: [
      ...named("BaseURL").map(textOf),
      ...nodes.flatMap(({ attributes }) => LOCATIONS.map((name) => attributes[name] ?? "")),
    ].filter((location) => location !== ""),
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

function isVideo({ attributes }: XmlNode): boolean {
  const { contentType = "", mimeType = "", codecs = "" } = attributes;
  return (
    contentType === "video" ||
    mimeType.startsWith("video/") ||
    /^(avc|hvc|hev|av01|vp0?[89]|vvc)/.test(codecs)
  );
}

function secondsOf(duration: string | undefined): number | null {
  const match = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?$/.exec(duration ?? "");
  if (match === null) return null;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0));
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
}
