/** Browsers that the tests drive; each has its own way to be launched. */
export const BROWSER_KINDS = ["chromium", "firefox"] as const;
export type BrowserKind = (typeof BROWSER_KINDS)[number];

/** A browser that starts on this machine. */
export interface BrowserProgram {
  readonly kind: BrowserKind;
  readonly path: string;
}
