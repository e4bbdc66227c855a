import type { EventFields } from "./vocabulary.ts";

export type PlayState = NonNullable<EventFields["sta"]>;

/** Events of a video element that change the state. */
export const STATE_EVENTS = ["play", "playing", "waiting", "seeking", "pause", "ended"] as const;

export type StateEvent = (typeof STATE_EVENTS)[number];

/** What the element says of itself at an event. */
export interface ElementState {
  readonly paused: boolean;
  readonly seeking: boolean;
  readonly ended: boolean;
}

/**
 * CMCD's play state of a video element, with what is to be told at a change: the delay of the start once, the length of
 * each stall when it has ended.
 */
export class PlayStateWatch {
  #state: PlayState | null = null;
  #startedAtMs: number | null = null;
  #hasPlayed = false;
  #stalledSinceMs: number | null = null;
  #stalls = 0;
  #stalledMs = 0;

  get state(): PlayState | null {
    return this.#state;
  }

  get isStalled(): boolean {
    return this.#stalledSinceMs !== null;
  }

  /** @returns what is to be reported; null where the state stays */
  on(event: StateEvent, element: ElementState, nowMs: number): EventFields | null {
    const next = this.#stateAfter(event, element);
    if (next === null || next === this.#state) return null;
    this.#state = next;
    if (next === "s") this.#startedAtMs ??= nowMs;
    const fields = { sta: next, ...this.#endStall(next, nowMs), ...this.#start(next, nowMs) };
    if (next === "r") this.#beginStall(nowMs);
    return next === "r" ? { ...fields, bs: true, bsa: this.#stalls } : fields;
  }

  /** The player was told to play, before its element knows. @returns what is to be reported */
  begin(nowMs: number): EventFields {
    this.#state = "s";
    this.#startedAtMs = nowMs;
    return { sta: "s" };
  }

  /** The film cannot go on. */
  fail(): void {
    this.#state = "f";
  }

  #stateAfter(event: StateEvent, { paused, seeking, ended }: ElementState): PlayState | null {
    switch (event) {
      case "play":
        return this.#hasPlayed ? null : "s";
      case "playing":
        return "p";
      case "waiting": // at the start it is starting, after a seek seeking
        return this.#hasPlayed && !paused && !seeking && !ended && this.#state !== "k" ? "r" : null;
      case "seeking":
        return this.#hasPlayed ? "k" : null;
      case "pause":
        return ended ? null : "a";
      case "ended":
        return "e";
    }
  }

  #start(next: PlayState, nowMs: number): EventFields {
    if (next !== "p" || this.#hasPlayed) return {};
    this.#hasPlayed = true;
    return this.#startedAtMs === null ? {} : { msd: Math.round(nowMs - this.#startedAtMs) };
  }

  #beginStall(nowMs: number): void {
    this.#stalledSinceMs = nowMs;
    this.#stalls += 1;
  }

  #endStall(next: PlayState, nowMs: number): EventFields {
    if (next === "r" || this.#stalledSinceMs === null) return {};
    const bsd = Math.round(nowMs - this.#stalledSinceMs);
    this.#stalledSinceMs = null;
    this.#stalledMs += bsd;
    return { bsd, bsda: this.#stalledMs };
  }
}
