import { appendBounded, type StallRecord } from "./play-log.ts";

/**
 * Watches a video element for stalls: it waits for data after it had begun to play, neither paused, seeking nor ended.
 * What it cannot show at the very beginning is start-up, not a stall.
 */
export class StallWatch {
  readonly stalls: StallRecord[] = [];
  readonly #video: HTMLVideoElement;
  readonly #nowMs: () => number;
  readonly #listening = new AbortController();
  #firstFrameAtMs: number | null = null;
  #stalledSinceMs: number | null = null;
  #isSuspended = false;

  constructor(video: HTMLVideoElement, nowMs: () => number) {
    this.#video = video;
    this.#nowMs = nowMs;
    const options = { signal: this.#listening.signal };
    video.addEventListener("waiting", () => this.#onWaiting(), options);
    for (const event of ["playing", "timeupdate", "pause", "seeking", "ended"] as const) {
      video.addEventListener(event, () => this.#onProgress(event), options);
    }
    video.requestVideoFrameCallback(() => {
      this.#firstFrameAtMs ??= nowMs();
    });
  }

  /** When the first frame was shown; null before. */
  get firstFrameAtMs(): number | null {
    return this.#firstFrameAtMs;
  }

  get isStalled(): boolean {
    return this.#stalledSinceMs !== null;
  }

  /** All stalls, the present one up to now included. */
  records(): StallRecord[] {
    const since = this.#stalledSinceMs;
    const present = since === null ? [] : [{ startedAtMs: since, durationMs: this.#nowMs() - since }];
    return [...this.stalls, ...present];
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
    const { paused, seeking, ended } = this.#video;
    if (this.#firstFrameAtMs !== null && !this.#isSuspended && !paused && !seeking && !ended) {
      this.#stalledSinceMs ??= this.#nowMs();
    }
  }

  #onProgress(event: string): void {
    if (event === "playing") {
      this.#isSuspended = false;
    }
    // Time may still be reported once after the last frame, while the element already waits.
    if (event !== "timeupdate" || this.#video.readyState > HTMLMediaElement.HAVE_CURRENT_DATA) {
      this.#end();
    }
  }

  #end(): void {
    if (this.#stalledSinceMs !== null) {
      const durationMs = this.#nowMs() - this.#stalledSinceMs;
      appendBounded(this.stalls, { startedAtMs: this.#stalledSinceMs, durationMs });
      this.#stalledSinceMs = null;
    }
  }
}
