/** How segments travel now; `reason` is one sentence, null where all is well. */
export interface MediaPath {
  readonly kind: "connecting" | "webtransport" | "http";
  readonly reason: string | null;
}
