import { beginsAgain, secondsAhead } from "./buffered-ranges.ts";
import { RateHold } from "./rate-hold.ts";

/** HTMLMediaElement's own; tests have no such class. */
const HAVE_FUTURE_DATA = 3;
const CHECK_INTERVAL_MS = 50;
/** At the rate 1, what the playhead may come nearer to the end between two looks. */
const STOP_SECONDS = CHECK_INTERVAL_MS / 1000;
/** At the rate 1. Chromium's own: with so much ahead it plays on after it ran dry. */
const RESUME_SECONDS = 0.1;
/** A hole as short as this is dash.js's, which jumps it. */
const HOLE_SECONDS = 0.5;
/** Pictures and sound seldom end at one time; nothing is fetched any more then. */
const FILM_END_SECONDS = 0.5;

type StoppedVideo = Pick<
  HTMLVideoElement,
  | "addEventListener"
  | "buffered"
  | "currentTime"
  | "dispatchEvent"
  | "duration"
  | "ended"
  | "paused"
  | "playbackRate"
  | "readyState"
  | "seeking"
>;

/**
 * Stops the film where its pictures have run out. Chromium plays the sound on, for up to 3 s each time, over a picture that
 * stands; it says that it plays, and skips what it did not show. Here the film is held, and the element's `waiting` and
 * `playing` are sent as they are where it runs dry itself.
 *
 * @param every - calls back again and again, every so many milliseconds
 */
export function stopAtBufferEnd(
  video: StoppedVideo,
  every: (callback: () => void, intervalMs: number) => unknown,
): void {
  const hold = new RateHold(video);

  function check(): void {
    if (!hold.isHeld) {
      if (saysThatItPlays(video) && isDry()) {
        hold.hold();
        video.dispatchEvent(new Event("waiting"));
      }
    } else if (secondsAhead(video) >= RESUME_SECONDS * video.playbackRate || isNearFilmEnd()) {
      hold.release();
      if (!video.paused) {
        video.dispatchEvent(new Event("playing"));
      }
    }
  }

  function isDry(): boolean {
    return (
      secondsAhead(video) < STOP_SECONDS * video.playbackRate &&
      !isNearFilmEnd() &&
      !beginsAgain(video, HOLE_SECONDS)
    );
  }

  function isNearFilmEnd(): boolean {
    return video.currentTime + secondsAhead(video) >= video.duration - FILM_END_SECONDS;
  }

  video.addEventListener("seeking", () => hold.release());
  video.addEventListener("emptied", () => hold.release()); // another source
  every(check, CHECK_INTERVAL_MS);
}

/** Where it says that it waits, it has stopped of itself. */
function saysThatItPlays({ ended, paused, playbackRate, readyState, seeking }: StoppedVideo): boolean {
  return !(ended || paused || seeking) && playbackRate !== 0 && readyState >= HAVE_FUTURE_DATA;
}
