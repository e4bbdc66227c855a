/** How far an encoding has come. */
export interface EncodingProgress {
  readonly encodedSeconds: number;
  readonly elapsedSeconds: number;
  readonly wholeSeconds: number;
}

/**
 * Whether a film that somebody begins to play now is always encoded so far ahead of its pictures, or to its end.
 *
 * @param leadSeconds how far
 * @param share of its speed so far that the encoder keeps while the film is played
 */
export function staysAhead(
  { encodedSeconds, elapsedSeconds, wholeSeconds }: EncodingProgress,
  { leadSeconds, share }: { readonly leadSeconds: number; readonly share: number },
): boolean {
  const speed = (share * encodedSeconds) / elapsedSeconds;
  const encodedAtTheEnd = encodedSeconds + speed * (wholeSeconds - leadSeconds);
  return encodedSeconds >= leadSeconds && encodedAtTheEnd >= wholeSeconds;
}
