type Media = Pick<HTMLMediaElement, "buffered" | "currentTime">;

/** How far the film can be played on from the playhead: where pictures and sound are both there. */
export function secondsAhead({ buffered, currentTime }: Media): number {
  for (let place = 0; place < buffered.length; place += 1) {
    if (buffered.start(place) <= currentTime && currentTime < buffered.end(place)) {
      return buffered.end(place) - currentTime;
    }
  }
  return 0;
}

/** Whether more of the film begins within `withinSeconds` after the playhead. */
export function beginsAgain({ buffered, currentTime }: Media, withinSeconds: number): boolean {
  for (let place = 0; place < buffered.length; place += 1) {
    const inSeconds = buffered.start(place) - currentTime;
    if (inSeconds > 0 && inSeconds <= withinSeconds) {
      return true;
    }
  }
  return false;
}
