import { MediaError } from "./media-error.ts";

/** One that rungs can have besides H.264. */
export interface VideoCodec {
  readonly title: string;
  readonly encoder: string;
  /** Of the bits that H.264 needs for the same picture. */
  readonly bitsFactor: number;
  /** Whether `arguments` says how much the rate may vary. */
  readonly hasOwnBuffer: boolean;
  /** For the output's stream at an index, whose segments have so many pictures. */
  readonly arguments: (stream: number, framesPerSegment: number) => readonly string[];
}

export const VIDEO_CODECS = {
  hevc: {
    title: "HEVC",
    encoder: "libx265",
    bitsFactor: 0.6,
    hasOwnBuffer: false,
    arguments: (stream, frames) => [
      ...[`-preset:v:${stream}`, "superfast", `-tag:v:${stream}`, "hvc1"],
      `-x265-params:v:${stream}`,
      `log-level=error:keyint=${frames}:min-keyint=${frames}:scenecut=0:open-gop=0:bframes=0:repeat-headers=0`,
    ],
  },
  av1: {
    title: "AV1",
    encoder: "libsvtav1",
    bitsFactor: 0.5,
    hasOwnBuffer: true,
    // Its own rate buffer is in ms; maxrate is for constant quality only.
    arguments: (stream, frames) => [
      ...[`-preset:v:${stream}`, "11", `-svtav1-params:v:${stream}`],
      `rc=1:keyint=${frames}:irefresh-type=2:scd=0:buf-sz=1000:buf-initial-sz=500`,
    ],
  },
} as const satisfies Readonly<Record<string, VideoCodec>>;

export type VideoCodecName = keyof typeof VIDEO_CODECS;

/** Throws MediaError for a name that there is not. */
export function parseCodec(text: string, source: string): VideoCodecName {
  const name = Object.keys(VIDEO_CODECS).find((known): known is VideoCodecName => known === text);
  if (name !== undefined) return name;
  throw new MediaError(`${source} is "${text}": write one of ${Object.keys(VIDEO_CODECS).join(", ")}`);
}
