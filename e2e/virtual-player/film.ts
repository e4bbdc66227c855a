/** A film as the virtual player needs it: its manifest, and what each of its files weighs. */

/** Where a file stands in the film; an initialization segment has no times. */
export interface FilmFile {
  readonly bytes: number;
  readonly startSeconds: number;
  readonly endSeconds: number;
}

export interface FilmRung {
  readonly bitsPerSecond: number;
  /** In the film's order. */
  readonly segments: readonly FilmFile[];
}

/** A representation of a film, as its manifest declares it. */
export interface FilmTrack {
  readonly kind: "video" | "audio";
  readonly bitsPerSecond: number;
  /** As in RFC 6381. */
  readonly codecs: string;
  /** Of video; 0 where the manifest does not tell. */
  readonly widthPixels: number;
  readonly heightPixels: number;
  readonly framesPerSecond: number;
}

export interface Film {
  /** An MPD with files relative to it. */
  readonly manifest: string;
  /** The text of quality.json; null without one. */
  readonly quality: string | null;
  /** Of video, ascending. */
  readonly rungs: readonly FilmRung[];
  /** Of pictures and sound. */
  readonly tracks: readonly FilmTrack[];
  readonly files: ReadonlyMap<string, FilmFile>;
}
