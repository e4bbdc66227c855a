/** Why a film cannot be played, and what to do: one sentence each. Pure. */

/** Of dash.js's manifest, as far as it is looked at (dash/vo and the parser's plain objects). */
export interface ParsedManifest {
  readonly type?: "static" | "dynamic";
  /** Of a live film: when its encoder began. */
  readonly availabilityStartTime?: Date;
  readonly Period?: readonly {
    readonly AdaptationSet?: readonly ParsedSet[];
  }[];
}

interface ParsedSet {
  readonly contentType?: string;
  readonly mimeType?: string;
  readonly codecs?: string;
  readonly Representation?: readonly { readonly mimeType?: string; readonly codecs?: string }[];
}

/** What the browser can decode: `MediaSource.isTypeSupported`; null where it has no MediaSource at all. */
export type IsTypeSupported = ((type: string) => boolean) | null;

const CODEC_NAMES: readonly (readonly [RegExp, string])[] = [
  [/^avc[13]/, "H.264"],
  [/^(hvc1|hev1)/, "HEVC"],
  [/^(dvh1|dvhe)/, "Dolby Vision"],
  [/^av01/, "AV1"],
  [/^vp0?9/, "VP9"],
  [/^vp0?8/, "VP8"],
  [/^mp4a/, "AAC"],
  [/^opus/i, "Opus"],
  [/^ac-3/, "Dolby Digital"],
  [/^ec-3/, "Dolby Digital Plus"],
];

/** What is wrong with a presentation in this browser. */
export interface Impediment {
  readonly sentence: string;
  /** Whether nothing at all can be shown. */
  readonly isFatal: boolean;
}

const NO_MEDIA_SOURCE =
  "This browser cannot play DASH, since it has no Media Source Extensions; use a current Chrome, Edge, Firefox or Safari.";

/** Looks through a manifest before anything is fetched of it; null where all is well. */
export function impedimentOf(manifest: ParsedManifest, isTypeSupported: IsTypeSupported): Impediment | null {
  if (isTypeSupported === null) {
    return { sentence: NO_MEDIA_SOURCE, isFatal: true };
  }
  const video = typesOf(manifest, "video");
  if (video.length === 0) {
    const hasSound = typesOf(manifest, "audio").length > 0;
    return {
      sentence: hasSound
        ? "This film has no video, so only its sound plays and no bitrate is chosen; package one that has a picture."
        : "This film’s manifest names neither video nor sound; package the film again with npm run package-film.",
      isFatal: !hasSound,
    };
  }
  const unknownVideo = undecodable(video, isTypeSupported);
  if (unknownVideo !== null) {
    return {
      sentence: `This browser cannot decode the film’s video, ${unknownVideo}; use a browser that can, such as Chrome, Edge or Safari, or package the film in another codec.`,
      isFatal: true,
    };
  }
  const unknownAudio = undecodable(typesOf(manifest, "audio"), isTypeSupported);
  return unknownAudio === null
    ? null
    : {
        sentence: `This browser cannot decode the film’s sound, ${unknownAudio}, so it plays without; use another browser to hear it.`,
        isFatal: false,
      };
}

/** "H.264 (avc1.64001f)" where no type can be decoded; null where one can, or there is none. */
function undecodable(types: readonly string[], isTypeSupported: (type: string) => boolean): string | null {
  const first = types[0];
  if (first === undefined || types.some(isTypeSupported)) {
    return null;
  }
  const codec = /codecs="([^"]*)"/.exec(first)?.[1] ?? first;
  const name = CODEC_NAMES.find(([pattern]) => pattern.test(codec))?.[1];
  return name === undefined ? codec : `${name} (${codec})`;
}

function typesOf({ Period = [] }: ParsedManifest, kind: "video" | "audio"): string[] {
  return Period.flatMap(({ AdaptationSet = [] }) => AdaptationSet).flatMap((set) =>
    (set.Representation ?? [])
      .map(({ mimeType = set.mimeType ?? "", codecs = set.codecs }) => ({ mimeType, codecs }))
      .filter(({ mimeType }) => set.contentType === kind || mimeType.startsWith(`${kind}/`))
      .map(({ mimeType, codecs }) => (codecs === undefined ? mimeType : `${mimeType};codecs="${codecs}"`)),
  );
}

/** An error as dash.js tells it. */
export interface PlayerError {
  readonly code?: number;
  readonly message?: string;
  readonly data?: unknown;
}

/** dash.js's codes (streaming/utils/Errors.js, dash/DashErrors.js). */
const CODE = {
  notParsed: 10,
  notLoaded: 11,
  clockNotRead: 16,
  notDownloaded: 25,
  noMediaSource: 23,
  badManifest: 31,
  noStreams: 32,
} as const;

/** What dash.js's error means for the viewer; null where the film goes on. */
export function errorSentence(
  { code, message }: PlayerError,
  manifestUrl: string,
  status: number | null,
): string | null {
  switch (code) {
    case CODE.clockNotRead:
      return null; // the viewer's own clock has to do
    case CODE.notParsed:
    case CODE.badManifest:
      return `${manifestUrl} is no DASH manifest (MPD); serve one there, as npm run package-film writes it.`;
    case CODE.notLoaded:
    case CODE.notDownloaded:
      return notLoadedSentence(manifestUrl, status);
    case CODE.noMediaSource:
      return NO_MEDIA_SOURCE;
    case CODE.noStreams:
      return "Nothing in the film’s manifest can be played in this browser; use another browser, or package the film again.";
    default:
      return `The film cannot be played on: ${(message ?? "unknown error").replace(/\.$/, "")}; reload the page to try again.`;
  }
}

/** Whether what is wrong is the browser, which plays no better the next time. */
export function isOfBrowser({ code }: PlayerError): boolean {
  return code === CODE.noMediaSource;
}

/** @param status HTTP's; null where there was no answer, or nobody told */
export function notLoadedSentence(manifestUrl: string, status: number | null): string {
  const why = status === null || status === 0 ? "" : `: the server answers ${status}`;
  return `The film’s manifest ${manifestUrl} does not come${why}; see that the server runs and has the file, and reload the page.`;
}
