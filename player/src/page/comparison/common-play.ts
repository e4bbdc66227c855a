import { goOn } from "../film/go-on.ts";
import { FilmClock } from "./film-clock.ts";

/** One of the films that play together. */
export interface PlayedFilm {
  readonly video: HTMLVideoElement;
  /** Makes its player, which plays by itself. */
  readonly begin: () => void;
  readonly onFailure: (sentence: string) => void;
}

export interface CommonPlayOptions {
  readonly films: readonly PlayedFilm[];
  /** Starts and pauses all; disabled until there is something to start. */
  readonly button: HTMLButtonElement;
  readonly nowMs: () => number;
  /** One of them plays, and they are to. */
  readonly onPlaying: () => void;
}

/** Films with one button and one clock: none plays that is not to, and the clock stands while none does. */
export class CommonPlay {
  readonly #options: CommonPlayOptions;
  #clock = new FilmClock();
  /** They are to play, though a browser may pause films without sound that nobody sees. */
  #isWanted = false;
  #hasStarted = false;
  #hasPlayed = false;
  #hasEnded = false;

  constructor(options: CommonPlayOptions) {
    this.#options = options;
    options.button.addEventListener("click", () => this.toggle());
    for (const { video } of options.films) {
      video.addEventListener("playing", () => this.#onPlaying(video));
      for (const type of ["pause", "ended"]) {
        video.addEventListener(type, () => this.#onPause());
      }
    }
  }

  /** They could be started, and nobody has. */
  get isWaiting(): boolean {
    return !(this.#hasStarted || this.#options.button.disabled);
  }

  /** At the same moment, the first time and after a pause. */
  start(): void {
    const { films, button, nowMs } = this.#options;
    this.#isWanted = true;
    this.#clock.start(nowMs());
    button.textContent = "Pause both";
    for (const { video, begin, onFailure } of films) {
      if (this.#hasStarted) {
        goOn(video).catch((error: unknown) => onFailure(String(error)));
      } else {
        begin();
      }
    }
    this.#hasStarted = true;
  }

  pause(): void {
    const { films, button, nowMs } = this.#options;
    this.#isWanted = false;
    for (const { video } of films) {
      video.pause();
    }
    this.#clock.pause(nowMs());
    button.textContent = "Go on with both";
  }

  /** The browser lets none play before the viewer wants it: all wait, and the time since the start is none. */
  refuse(): void {
    this.pause();
    if (!this.#hasPlayed) {
      this.#clock = new FilmClock();
      this.#options.button.textContent = "Start both";
    }
  }

  toggle(): void {
    if (!(this.#options.button.disabled || this.#hasEnded)) {
      this.#isWanted ? this.pause() : this.start();
    }
  }

  /** To be called some times a second; what the clock shows. */
  tick(): string {
    const { films, button, nowMs } = this.#options;
    if (this.#isWanted && films.every(({ video }) => video.ended)) {
      this.#isWanted = false;
      this.#clock.pause(nowMs());
      this.#hasEnded = true;
      button.ariaDisabled = "true"; // it keeps the focus
      button.textContent = "Both have ended";
    }
    return this.#clock.text(nowMs());
  }

  /** A film whose player came late begins by itself, while the other waits for the viewer. */
  #onPlaying(video: HTMLVideoElement): void {
    if (this.#isWanted) {
      this.#hasPlayed = true;
      this.#clock.start(this.#options.nowMs());
      this.#options.onPlaying();
    } else {
      video.pause();
    }
  }

  #onPause(): void {
    const { films, nowMs } = this.#options;
    if (this.#hasPlayed && films.every(({ video }) => video.paused || video.ended)) {
      this.#clock.pause(nowMs());
    }
  }
}
