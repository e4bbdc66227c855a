/** One of a film's sound tracks or captions, as its file has it. */
export interface ProbedTrack {
  /** Among all streams of the file. */
  readonly streamIndex: number;
  readonly codec: string;
  /** Of three letters (ISO 639-2), or as it was written; undefined where the file does not tell. */
  readonly language: string | undefined;
  readonly title: string | undefined;
}

/** What a manifest says of one. */
export interface TrackName {
  /** BCP 47; undefined where nobody knows. */
  readonly language: string | undefined;
  /** For the menu: different from that of any other. */
  readonly label: string;
}

/** Names for tracks of one kind, which is the label of one of which nothing is known. */
export function trackNames(
  tracks: readonly Pick<ProbedTrack, "language" | "title">[],
  kind: string,
): readonly TrackName[] {
  const used = new Set<string>();
  return tracks.map((track, index) => {
    const language = languageTag(track.language);
    const spoken = language === undefined ? undefined : languageName(language);
    const plain = [track.title, spoken].filter((part) => part !== undefined);
    const name = plain.length === 2 ? `${plain[0]} (${plain[1]})` : (plain[0] ?? `${kind} ${index + 1}`);
    const label = used.has(name) ? `${name} ${index + 1}` : name;
    used.add(label);
    return { language, label };
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
