import type { SetTimer } from "./set-timer.ts";

/** Waits that may be ended together before their time. */
export class Sleepers {
  readonly #setTimer: SetTimer;
  readonly #ends = new Set<() => void>();

  constructor(setTimer: SetTimer) {
    this.#setTimer = setTimer;
  }

  /** Until the time has passed or `wake` is called. */
  sleep(durationMs: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        cancel();
        this.#ends.delete(end);
        resolve();
      };
      const cancel = this.#setTimer(end, durationMs);
      this.#ends.add(end);
    });
  }

  wake(): void {
    for (const end of [...this.#ends]) {
      end();
    }
  }
}
