/** One film of the page's menu. */
export interface Film {
  /** In URLs: `film=NAME` and `/media/NAME/`. */
  readonly name: string;
  readonly title: string;
  /** null for one that goes on without an end. */
  readonly durationSeconds: number | null;
  /** Name of the manifest in `directory`; a URL for a film that plays from its own server. */
  readonly manifest: string;
  /** What is served of it; null for a film that plays from its own server. */
  readonly directory: string | null;
  /** Where that is, if `directory` may be a link to it. */
  readonly presentDirectory?: string;
  /** Where below `/media/` it lies, if not below its name. */
  readonly place?: string;
  /** Whether its files are gone, so that no menu has it; its place is kept, lest another film move there. */
  readonly isLost?: boolean;
  /** Settles when nothing is written for it any more; absent where nothing is. */
  readonly encodingOver?: Promise<void>;
  /** Whether `directory` holds nothing but what media/ put there. */
  readonly isPackagedHere: boolean;
  /** Of the servers that the page fetches it from besides this one. */
  readonly otherOrigins: readonly string[];
  /**
   * Has the file at a path in `directory`, which may not be there yet; rejects with a Refusal. Absent: all are there.
   *
   * @param address of the client that asks for it
   * @param leaving aborted when the client has gone, which nobody need wait for then
   */
  readonly prepare?: ((path: string, address: string, leaving?: AbortSignal) => Promise<void>) | undefined;
}

const LONGEST_NAME = 40;
const LONGEST_TITLE = 200;

/** Of what anybody may have written: one line, which a menu and a log can show. */
export function plainTitle(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\s]+/gu, " ").trim();
  return Array.from(line.slice(0, 2 * LONGEST_TITLE))
    .slice(0, LONGEST_TITLE)
    .join(""); // whole characters
}

/** A name for URLs that none of the others has. */
export function nameFor(title: string, taken: readonly string[]): string {
  const plain = title
    .normalize("NFKD")
    .replaceAll(/\p{M}+/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, LONGEST_NAME)
    .replaceAll(/^-+|-+$/g, "");
  const name = plain || "film";
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    if (!taken.includes(candidate)) return candidate;
  }
}

/** The title, with a number where another film of the menu has it. */
export function titleFor(title: string, taken: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? title : `${title} (${number})`;
    if (!taken.includes(candidate)) return candidate;
  }
}

/** A film that media/ has packaged. */
export function packagedFilm(
  presentation: { readonly directory: string; readonly title: string; readonly durationSeconds: number },
  taken: readonly string[] = [],
): Film {
  const { directory, title, durationSeconds } = presentation;
  return {
    name: nameFor(title, taken),
    title,
    durationSeconds,
    manifest: "manifest.mpd",
    directory,
    isPackagedHere: true,
    otherOrigins: [],
  };
}
