/** A stand-in for the video element: it plays what is buffered, by the clock that it is given, and shows nothing. */

import type { VirtualMediaSource } from "./media-source.ts";

/** An object URL's media source; the element opens it as a browser does. */
export const mediaSources = new Map<string, VirtualMediaSource>();

const HAVE_NOTHING = 0;
const HAVE_METADATA = 1;
const HAVE_CURRENT_DATA = 2;
const HAVE_ENOUGH_DATA = 4;
/** Chromium's own: between two of `timeupdate`. */
const TIME_UPDATE_MS = 250;
/** Media ahead with which Chromium plays on after it ran dry. */
const RESUME_SECONDS = 0.1;
const EPSILON_SECONDS = 1e-4;
/** Before the film's end it is told: dash.js takes an end that is not told by then for missed, goes back and stands. */
const END_STEP_MS = 2;

/** A time without playback after the first frame; ms of the clock. */
export interface Wait {
  readonly startedAtMs: number;
  readonly endedAtMs: number | null;
}

/** The film went on at another place; ms of the clock. */
export interface Seek {
  readonly startedAtMs: number;
  /** Of the picture there; null where none came. */
  readonly endedAtMs: number | null;
  readonly fromSeconds: number;
  readonly toSeconds: number;
  /** Else by dash.js, over a hole that a viewer's seek has left in its buffer. */
  readonly byViewer: boolean;
}

export class VirtualVideo extends EventTarget {
  readonly nodeName = "VIDEO";
  readonly textTracks = Object.assign([], {
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  });
  readonly played = { length: 0 };
  readonly videoWidth = 1920;
  readonly videoHeight = 1080;
  readonly clientWidth = 1920;
  readonly clientHeight = 1080;
  readonly parentNode = null;
  autoplay = false;
  preload = "auto";
  playbackRate = 1;
  defaultPlaybackRate = 1;
  volume = 1;
  muted = true;
  seeking = false;
  ended = false;
  paused = true;
  readyState = HAVE_NOTHING;
  error: null = null;
  firstFrameAtMs: number | null = null;
  readonly waits: Wait[] = [];
  readonly seeks: Seek[] = [];
  readonly #nowMs: () => number;
  #source: VirtualMediaSource | null = null;
  #src = "";
  #isMoving = false;
  /** A viewer's seek has no picture yet. */
  #isSought = false;
  #hasLoaded = false;
  #position = 0;
  #movedAtMs = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(nowMs: () => number) {
    super();
    this.#nowMs = nowMs;
  }

  get src(): string {
    return this.#src;
  }

  set src(url: string) {
    this.#src = url;
    const source = mediaSources.get(url);
    if (source === undefined) return;
    this.#source = source;
    source.beforeChange = () => this.#rebase();
    source.onChange = () => this.onBufferChanged();
    setTimeout(() => source.open(), 0);
  }

  get duration(): number {
    return this.#source?.duration ?? Number.NaN;
  }

  get buffered() {
    const first = this.#source?.sourceBuffers[0]?.buffered;
    return first ?? { length: 0, start: () => 0, end: () => 0 };
  }

  get seekable() {
    return this.buffered;
  }

  get currentTime(): number {
    if (!this.#isMoving) return this.#position;
    const movedSeconds = ((this.#nowMs() - this.#movedAtMs) / 1000) * this.playbackRate;
    return Math.min(this.#position + movedSeconds, this.#playableUntil());
  }

  /** Of picture and sound, from the playhead on. */
  get aheadSeconds(): number {
    return Math.max(0, this.#playableUntil() - this.currentTime);
  }

  /** As dash.js sets it: at the start, at gaps, and beside a viewer's seek that has no picture yet. */
  set currentTime(seconds: number) {
    const nowMs = this.#nowMs();
    const jump = { startedAtMs: nowMs, fromSeconds: this.currentTime, toSeconds: seconds };
    if (this.#isSought) this.#amendSeek({ toSeconds: seconds });
    else if (this.seeks.length > 0) this.seeks.push({ ...jump, endedAtMs: nowMs, byViewer: false });
    this.#position = seconds;
    this.#movedAtMs = nowMs;
    this.seeking = true;
    this.#emit("seeking");
    setTimeout(() => {
      if (!this.#isSought) {
        this.seeking = false;
        this.#emit("seeked");
      }
      this.onBufferChanged();
    }, 0);
  }

  /** As a viewer sets it: the film stands until there is data at that place, which is a seek and no stall. */
  seek(toSeconds: number): void {
    const wasMoving = this.#isMoving;
    this.#stand();
    this.#endWait();
    this.seeks.push({
      startedAtMs: this.#nowMs(),
      endedAtMs: null,
      fromSeconds: this.#position,
      toSeconds,
      byViewer: true,
    });
    this.#position = toSeconds;
    this.#isSought = true;
    this.seeking = true;
    this.readyState = HAVE_METADATA;
    this.#emit("seeking");
    if (wasMoving) this.#emit("waiting");
    setTimeout(() => this.onBufferChanged(), 0);
  }

  play(): Promise<void> {
    if (this.paused) {
      this.paused = false;
      this.#emit("play");
      this.onBufferChanged();
    }
    return Promise.resolve();
  }

  pause(): void {
    if (this.paused) return;
    this.#stand();
    this.paused = true;
    this.#emit("pause");
  }

  load(): void {}

  removeAttribute(): void {}

  getVideoPlaybackQuality() {
    return { droppedVideoFrames: 0, totalVideoFrames: 0, creationTime: 0 };
  }

  getBoundingClientRect() {
    return { width: this.clientWidth, height: this.clientHeight, top: 0, left: 0 };
  }

  /** Something was appended or removed. */
  onBufferChanged(): void {
    const source = this.#source;
    if (source === null || source.sourceBuffers.length === 0) return;
    if (this.readyState === HAVE_NOTHING && !Number.isNaN(source.duration)) {
      this.readyState = HAVE_METADATA;
      this.#emit("durationchange");
      this.#emit("loadedmetadata");
    }
    if (this.readyState === HAVE_NOTHING || (this.seeking && !this.#isSought)) return;
    const ahead = this.#playableUntil() - this.currentTime;
    if (ahead < RESUME_SECONDS && !this.#hasTheEnd) return;
    if (this.readyState < HAVE_ENOUGH_DATA) {
      this.readyState = HAVE_ENOUGH_DATA;
      if (this.#isSought) this.#endSeek();
      if (!this.#hasLoaded) this.#emit("loadeddata");
      this.#hasLoaded = true;
      this.#emit("canplay");
      this.#emit("canplaythrough");
    }
    if (!this.paused && !this.#isMoving && !this.ended) this.#go();
    else this.#plan();
  }

  #go(): void {
    const nowMs = this.#nowMs();
    this.firstFrameAtMs ??= nowMs;
    this.#endWait();
    this.#isMoving = true;
    this.#movedAtMs = nowMs;
    this.#emit("playing");
    this.#plan();
  }

  #endWait(): void {
    const waiting = this.waits.at(-1);
    if (waiting !== undefined && waiting.endedAtMs === null) {
      this.waits.splice(-1, 1, { ...waiting, endedAtMs: this.#nowMs() });
    }
  }

  #endSeek(): void {
    this.#isSought = false;
    this.seeking = false;
    this.#amendSeek({ endedAtMs: this.#nowMs() });
    this.#emit("timeupdate");
    this.#emit("seeked");
  }

  #amendSeek(change: Partial<Seek>): void {
    const seek = this.seeks.at(-1);
    if (seek !== undefined) this.seeks.splice(-1, 1, { ...seek, ...change });
  }

  /** What was played until now is played: the buffer may change behind it. */
  #rebase(): void {
    this.#position = this.currentTime;
    this.#movedAtMs = this.#nowMs();
  }

  #stand(): void {
    this.#rebase();
    this.#isMoving = false;
    clearTimeout(this.#timer);
  }

  /** The next time that something is to be told: the playhead has moved on, or has run dry. */
  #plan(): void {
    clearTimeout(this.#timer);
    if (!this.#isMoving) return;
    const dryInMs = this.#hasTheEnd
      ? Math.max(0, Math.round(this.#aheadMs) - END_STEP_MS)
      : Math.ceil(this.#aheadMs);
    this.#timer = setTimeout(() => this.#onTime(), Math.min(TIME_UPDATE_MS, dryInMs));
  }

  #onTime(): void {
    this.#emit("timeupdate");
    if (Math.round(this.#aheadMs) > (this.#hasTheEnd ? END_STEP_MS : 0)) {
      this.#plan();
      return;
    }
    this.#stand();
    if (this.#hasTheEnd) {
      this.#position = this.duration;
      this.ended = true;
      this.#emit("ended");
      return;
    }
    this.readyState = HAVE_CURRENT_DATA;
    this.waits.push({ startedAtMs: this.#nowMs(), endedAtMs: null });
    this.#emit("waiting");
  }

  /** What can be played before it runs dry. */
  get #aheadMs(): number {
    return (1000 * (this.#playableUntil() - this.currentTime)) / this.playbackRate;
  }

  /** Whether all that is left of the film is there. */
  get #hasTheEnd(): boolean {
    return this.#playableUntil() >= this.duration - EPSILON_SECONDS;
  }

  /** Where the first of picture and sound ends. */
  #playableUntil(): number {
    const position = this.#position;
    const ends = (this.#source?.sourceBuffers ?? []).map((buffer) => buffer.buffered.endAt(position));
    return ends.length === 0 ? position : Math.min(...ends);
  }

  #emit(type: string): void {
    this.dispatchEvent(new Event(type));
  }
}
