import { MediaError } from "./media-error.ts";

/** A representation as the manifest declares it, with its segments. */
export interface ManifestRepresentation {
  readonly id: string;
  readonly type: "video" | "audio";
  readonly bandwidthBitsPerSecond: number;
  readonly width?: number;
  readonly height?: number;
  /** In seconds, in order; their sum is the representation's length. */
  readonly segmentSeconds: readonly number[];
}

export interface Manifest {
  readonly durationSeconds: number;
  readonly representations: readonly ManifestRepresentation[];
}

/** Of one entry of a timeline: a day of segments of a second. */
const MOST_REPEATS = 86_400;

/**
 * Reads pictures and sound of a manifest that ffmpeg's DASH muxer wrote: not for manifests from elsewhere.
 *
 * @throws MediaError for a timeline that no film has
 */
export function parseManifest(xml: string): Manifest {
  const duration = /mediaPresentationDuration="PT(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?"/.exec(xml);
  const [hours, minutes, seconds] = [1, 2, 3].map((group) => Number(duration?.[group] ?? 0));
  const blocks = xml.matchAll(/<Representation ([^>]*)>(.*?)<\/Representation>/gs);
  return {
    durationSeconds: (hours ?? 0) * 3600 + (minutes ?? 0) * 60 + (seconds ?? 0),
    representations: [...blocks]
      .filter(([, attributes = ""]) => !attributes.includes('mimeType="text/'))
      .map(([, attributes = "", content = ""]) => parseRepresentation(attributes, content)),
  };
}

function parseRepresentation(attributes: string, content: string): ManifestRepresentation {
  const width = attribute(attributes, "width");
  const height = attribute(attributes, "height");
  return {
    id: attribute(attributes, "id") ?? "",
    type: attribute(attributes, "mimeType")?.startsWith("audio/") ? "audio" : "video",
    bandwidthBitsPerSecond: Number(attribute(attributes, "bandwidth")),
    ...(width === undefined ? {} : { width: Number(width) }),
    ...(height === undefined ? {} : { height: Number(height) }),
    segmentSeconds: parseTimeline(content),
  };
}

function parseTimeline(content: string): readonly number[] {
  const timescale = Number(attribute(content, "timescale"));
  return [...content.matchAll(/<S ([^>]*)\/>/g)].flatMap(([, attributes = ""]) => {
    const repeats = Number(attribute(attributes, "r") ?? 0);
    if (!Number.isInteger(repeats) || repeats < 0 || repeats > MOST_REPEATS) {
      throw new MediaError(`the manifest repeats a segment ${repeats} times: package the film anew`);
    }
    return Array<number>(repeats + 1).fill(Number(attribute(attributes, "d")) / timescale);
  });
}

function attribute(text: string, name: string): string | undefined {
  return new RegExp(`\\b${name}="([^"]*)"`).exec(text)?.[1];
}
