type Playable = Pick<HTMLVideoElement, "play">;

/** Plays. A pause that comes before the film has begun is what the viewer wants, and no failure. */
export async function play(video: Playable): Promise<void> {
  try {
    await video.play();
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "AbortError")) {
      throw error;
    }
  }
}

/** Plays on after a pause. What has ended stays at its end: `play` would begin it anew. */
export async function goOn(video: Playable & Pick<HTMLVideoElement, "ended">): Promise<void> {
  if (!video.ended) {
    await play(video);
  }
}
