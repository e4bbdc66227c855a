/** Plays on after a pause. What has ended stays at its end: `play` would begin it anew. */
export async function goOn(video: Pick<HTMLVideoElement, "ended" | "play">): Promise<void> {
  if (!video.ended) {
    await video.play();
  }
}
