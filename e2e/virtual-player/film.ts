/** A film as the virtual player needs it: its manifest, and what each of its files weighs. */

/** Where a file stands in the film; an initialization segment has no times. */
export interface FilmFile {
  readonly bytes: number;
  readonly startSeconds: number;
  readonly endSeconds: number;
}

export interface Film {
  /** An MPD with files relative to it. */
  readonly manifest: string;
  /** Of video; 0 without any. */
  readonly lowestBitsPerSecond: number;
  readonly files: ReadonlyMap<string, FilmFile>;
}
