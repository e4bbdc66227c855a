/** What ffmpeg prints of a track's purpose, as far as it is kept. */
export const DISPOSITIONS = [
  "default",
  "forced",
  "hearing impaired",
  "visual impaired",
  "comment",
  "dub",
] as const;

export type Disposition = (typeof DISPOSITIONS)[number];

/** One of a film's sound tracks or captions, as its file has it. */
export interface ProbedTrack {
  /** Among all streams of the file. */
  readonly streamIndex: number;
  readonly codec: string;
  /** Of three letters (ISO 639-2), or as it was written; undefined where the file does not tell. */
  readonly language: string | undefined;
  readonly title: string | undefined;
  readonly dispositions: readonly Disposition[];
}

/** Of DASH's scheme urn:mpeg:dash:role:2011, as far as films have them. */
export type TrackRole = "commentary" | "description" | "dub" | "forced-subtitle" | "caption";

/** What a manifest says of one. */
export interface TrackName {
  /** BCP 47; undefined where nobody knows. */
  readonly language: string | undefined;
  /** For the menu: different from that of any other. */
  readonly label: string;
  /** Undefined for a track like any other. */
  readonly role?: TrackRole | undefined;
  /** Whether players begin with it, of several. */
  readonly isDefault?: boolean | undefined;
}

/** The first that a track has counts. Its words are said unless the title has one like it. */
const ROLES: readonly (readonly [Disposition, TrackRole, words: string, inTitle: RegExp])[] = [
  ["comment", "commentary", "commentary", /comment/i],
  ["forced", "forced-subtitle", "forced", /forced/i],
  ["hearing impaired", "caption", "for the hard of hearing", /hearing|sdh|caption|\bcc\b|deaf/i],
  ["visual impaired", "description", "audio description", /descri|visual|blind/i],
  ["dub", "dub", "dubbed", /dub/i],
];

/** Names for tracks of one kind, which is the label of one of which nothing is known. */
export function trackNames(
  tracks: readonly Pick<ProbedTrack, "language" | "title" | "dispositions">[],
  kind: string,
): readonly TrackName[] {
  const used = new Set<string>();
  const first = tracks.findIndex(({ dispositions }) => dispositions.includes("default"));
  return tracks.map((track, index) => {
    const language = languageTag(track.language);
    const spoken = language === undefined ? undefined : languageName(language);
    const [, role, purpose, inTitle] =
      ROLES.find(([disposition]) => track.dispositions.includes(disposition)) ?? [];
    const known = track.title === undefined ? [spoken] : [track.title, spoken];
    const [main = `${kind} ${index + 1}`, ...rest] = known.filter((part) => part !== undefined);
    if (purpose !== undefined && inTitle?.test(track.title ?? "") !== true) rest.push(purpose);
    const name = rest.length === 0 ? main : `${main} (${rest.join(", ")})`;
    const label = used.has(name) ? `${name} ${index + 1}` : name;
    used.add(label);
    return {
      language,
      label,
      ...(role === undefined ? {} : { role }),
      ...(index === first && tracks.length > 1 ? { isDefault: true } : {}),
    };
  });
}

/** `deu`, `ger` and `de` are all `de`. */
function languageTag(code: string | undefined): string | undefined {
  if (code === undefined || code === "und") return undefined;
  try {
    return Intl.getCanonicalLocales(code)[0];
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function languageName(tag: string): string | undefined {
  return new Intl.DisplayNames(["en"], { type: "language", fallback: "none" }).of(tag);
}
