/**
 * Moves to a place of the film, its end at the most. A film that goes on has no tenths, and one that is not read yet has
 * no length: there nothing moves.
 */
export function moveTo(video: Pick<HTMLVideoElement, "currentTime" | "duration">, seconds: number): void {
  const place = Math.max(0, Math.min(video.duration, seconds));
  if (Number.isFinite(place)) {
    video.currentTime = place;
  }
}
