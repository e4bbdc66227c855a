import { secondsAhead } from "./buffered-ranges.ts";
import { appendBounded, type StallRecord } from "./play-log.ts";

/** A shorter standstill is hardly seen; elements report such by the dozen. */
const LEAST_STALL_MS = 100;
/** Once the playhead has come this far it moves again; before that a frame that was ready may still be told of. */
const MOVING_SECONDS = 0.1;
/** With so much ahead of the playhead nothing waits for data. */
const DATA_AHEAD_SECONDS = 0.5;
const CHECK_INTERVAL_MS = 50;

type WatchedVideo = Pick<
  HTMLVideoElement,
  | "addEventListener"
  | "buffered"
  | "currentTime"
  | "ended"
  | "paused"
  | "playbackRate"
  | "requestVideoFrameCallback"
  | "seeking"
>;

export interface StallWatchOptions {
  readonly video: WatchedVideo;
  readonly nowMs: () => number;
  /** @returns what ends it */
  readonly every: (callback: () => void, intervalMs: number) => () => void;
  /** A standstill has become a stall. */
  readonly onStall?: () => void;
  readonly onStallEnd?: (record: StallRecord) => void;
}

interface Standstill {
  readonly sinceMs: number;
  readonly atSeconds: number;
  readonly cancelChecks: () => void;
  isTold: boolean;
}

/**
 * The one judge of stalls: the film waits for data after it had begun to play, neither paused, seeking nor ended, for
 * 100 ms or more, until the playhead moves again. What it cannot show at the very beginning is start-up, after a seek
 * seeking. An element that waits with data ahead waits for its decoder: the network and what rules it have no part in
 * that, so it is no stall and no part of the quality of experience. An element that plays on without pictures is stopped
 * before by `stopAtBufferEnd`.
 */
export class StallWatch {
  readonly stalls: StallRecord[] = [];
  readonly #options: StallWatchOptions;
  readonly #listening = new AbortController();
  #firstFrameAtMs: number | null = null;
  #standstill: Standstill | null = null;
  /** Until the film plays again: it seeks, or the source is being changed. */
  #isSuspended = false;

  constructor(options: StallWatchOptions) {
    this.#options = options;
    const { video, nowMs } = options;
    const on = (event: string, act: () => void): void =>
      video.addEventListener(event, act, { signal: this.#listening.signal });
    on("waiting", () => this.#onWaiting());
    on("timeupdate", () => this.#check());
    on("playing", () => {
      this.#isSuspended = false;
      this.#check();
    });
    on("pause", () => this.#end());
    on("ended", () => this.#end());
    on("seeking", () => this.suspend());
    video.requestVideoFrameCallback(() => {
      this.#firstFrameAtMs ??= nowMs();
    });
  }

  /** When the first frame was shown; null before. */
  get firstFrameAtMs(): number | null {
    return this.#firstFrameAtMs;
  }

  get isStalled(): boolean {
    return this.#stoodMs() >= LEAST_STALL_MS;
  }

  /** All stalls, the present one up to now included. */
  records(): StallRecord[] {
    const standstill = this.#standstill;
    const durationMs = this.#stoodMs();
    const isStall = standstill !== null && durationMs >= LEAST_STALL_MS;
    return isStall ? [...this.stalls, { startedAtMs: standstill.sinceMs, durationMs }] : [...this.stalls];
  }

  /** What follows is no stall until the film plays again: the source is being changed. */
  suspend(): void {
    this.#end();
    this.#isSuspended = true;
  }

  close(): void {
    this.#end();
    this.#listening.abort();
  }

  #onWaiting(): void {
    const { video, nowMs, every } = this.#options;
    const { paused, seeking, ended } = video;
    if (this.#firstFrameAtMs === null || this.#isSuspended || paused || seeking || ended) {
      return;
    }
    if (this.#standstill === null && secondsAhead(video) < DATA_AHEAD_SECONDS) {
      this.#standstill = {
        sinceMs: nowMs(),
        atSeconds: video.currentTime,
        cancelChecks: every(() => this.#check(), CHECK_INTERVAL_MS),
        isTold: false,
      };
    }
  }

  #check(): void {
    const standstill = this.#standstill;
    if (standstill === null) {
      return;
    }
    if (this.#options.video.currentTime - standstill.atSeconds > MOVING_SECONDS) {
      this.#end();
    } else if (!standstill.isTold && this.#stoodMs() >= LEAST_STALL_MS) {
      standstill.isTold = true;
      this.#options.onStall?.();
    }
  }

  /** Time since the standstill began, less what was played in it; 0 where there is none. */
  #stoodMs(): number {
    if (this.#standstill === null) {
      return 0;
    }
    const { video, nowMs } = this.#options;
    const { sinceMs, atSeconds } = this.#standstill;
    const playedMs = (1000 * (video.currentTime - atSeconds)) / (video.playbackRate || 1);
    return nowMs() - sinceMs - Math.max(0, playedMs);
  }

  #end(): void {
    const standstill = this.#standstill;
    if (standstill === null) {
      return;
    }
    const record = { startedAtMs: standstill.sinceMs, durationMs: this.#stoodMs() };
    this.#standstill = null;
    standstill.cancelChecks();
    if (record.durationMs >= LEAST_STALL_MS) {
      appendBounded(this.stalls, record);
      if (!standstill.isTold) {
        this.#options.onStall?.();
      }
      this.#options.onStallEnd?.(record);
    }
  }
}
