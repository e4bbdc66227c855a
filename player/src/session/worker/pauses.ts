import type { SetTimer } from "../set-timer.ts";

interface Pause {
  readonly earliestMs: number;
  readonly end: () => void;
}

/** Pauses that end when the worker is awake for something else, so that they seldom wake it themselves. */
export class Pauses {
  readonly #nowMs: () => number;
  readonly #setTimer: SetTimer;
  readonly #pauses = new Set<Pause>();

  constructor(nowMs: () => number, setTimer: SetTimer) {
    this.#nowMs = nowMs;
    this.#setTimer = setTimer;
  }

  /** Lasts so long, and up to `slackMs` longer. */
  pause(durationMs: number, slackMs: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        cancelTimer();
        this.#pauses.delete(pause);
        resolve();
      };
      const cancelTimer = this.#setTimer(end, durationMs + slackMs);
      const pause = { earliestMs: this.#nowMs() + durationMs, end };
      this.#pauses.add(pause);
    });
  }

  /** The worker is awake: what has lasted long enough ends. */
  awake(nowMs: number): void {
    for (const pause of this.#pauses) {
      if (nowMs >= pause.earliestMs) {
        pause.end();
      }
    }
  }
}
