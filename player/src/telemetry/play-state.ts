import { durationMs } from "./cmcd-values.ts";
import type { EventFields } from "./vocabulary.ts";

export type PlayState = NonNullable<EventFields["sta"]>;

/** Events of a video element that change the state. */
export const STATE_EVENTS = ["play", "playing", "seeking", "seeked", "pause", "ended"] as const;

export type StateEvent = (typeof STATE_EVENTS)[number];

/** What the element says of itself at an event. */
export interface ElementState {
  readonly paused: boolean;
  readonly seeking: boolean;
  readonly ended: boolean;
}

/**
 * CMCD's play state of a film, with what is to be told at a change: the delay of the start once, the length of each stall
 * when it has ended. What a stall is, StallWatch says.
 */
export class PlayStateWatch {
  #state: PlayState | null = null;
  #startedAtMs: number | null = null;
  #hasPlayed = false;
  #stalls = 0;
  #stalledMs = 0;

  get state(): PlayState | null {
    return this.#state;
  }

  get isStalled(): boolean {
    return this.#state === "r";
  }

  /** @returns what is to be reported; null where the state stays */
  on(event: StateEvent, element: ElementState, nowMs: number): EventFields | null {
    const next = this.#stateAfter(event, element);
    if (next === null || next === this.#state) return null;
    this.#state = next;
    if (next === "s") this.#startedAtMs ??= nowMs;
    return { sta: next, ...this.#start(next, nowMs) };
  }

  /**
   * The film is to play, before its element knows; again where it is wished anew before it has played.
   *
   * @returns what is to be reported; null for a film that has played
   */
  begin(atMs: number): EventFields | null {
    if (this.#hasPlayed) return null;
    this.#state = "s";
    this.#startedAtMs = atMs;
    return { sta: "s" };
  }

  /** It may not begin before its viewer plays it. @returns what is to be reported; null where it was not to begin */
  wait(): EventFields | null {
    if (this.#hasPlayed || this.#state !== "s") return null;
    this.#state = "a";
    this.#startedAtMs = null;
    return { sta: "a" };
  }

  /** @returns what is to be reported */
  stalled(): EventFields {
    this.#state = "r";
    this.#stalls += 1;
    return { sta: "r", bs: true, bsa: this.#stalls };
  }

  /** @returns what is to be reported */
  stallEnded(lastedMs: number, { paused, seeking, ended }: ElementState): EventFields {
    const bsd = durationMs(lastedMs);
    this.#stalledMs = durationMs(this.#stalledMs + bsd);
    this.#state = ended ? "e" : seeking ? "k" : paused ? "a" : "p";
    return { sta: this.#state, bsd, bsda: this.#stalledMs };
  }

  /** The film cannot go on. */
  fail(): void {
    this.#state = "f";
  }

  #stateAfter(event: StateEvent, { ended, paused }: ElementState): PlayState | null {
    switch (event) {
      case "play":
        return this.#hasPlayed ? null : "s";
      case "playing":
        return this.isStalled ? null : "p"; // it has data again; whether it moves, the end of the stall says
      case "seeking":
        return this.#hasPlayed ? "k" : null;
      case "seeked":
        return this.#state === "k" && paused ? (ended ? "e" : "a") : null; // one that is not paused tells that it plays
      case "pause":
        return ended ? null : "a";
      case "ended":
        return "e";
    }
  }

  #start(next: PlayState, nowMs: number): EventFields {
    if (next !== "p" || this.#hasPlayed) return {};
    this.#hasPlayed = true;
    return this.#startedAtMs === null ? {} : { msd: durationMs(nowMs - this.#startedAtMs) };
  }
}
