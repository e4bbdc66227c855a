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

export interface Film {
  /** An MPD with files relative to it. */
  readonly manifest: string;
  /** Of video, ascending. */
  readonly rungs: readonly FilmRung[];
  readonly files: ReadonlyMap<string, FilmFile>;
}
