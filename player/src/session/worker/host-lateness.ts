import type { SetTimer } from "../set-timer.ts";

/** Timers are coarse, and browsers let nested ones wait for 4 ms; what is less is no lateness. */
const TOLERANCE_MS = 5;
/** What came while the thread did not run is read within this time, however much it is. */
const CATCHING_UP_MS = 30;
const RECENT_MS = 1000;

/** Notes that the thread has woken for what was expected, or that it need not any more. */
export type Woken = (nowMs: number) => void;

/**
 * How late this thread wakes, by what was to wake it: its timers. A stamp that is read late looks like one that waited in a
 * queue, so whoever takes its time asks how much of that may be this computer's. Times are ms.
 */
export class HostLateness {
  readonly #nowMs: () => number;
  readonly #setTimer: SetTimer;
  readonly #dues = new Set<{ readonly dueMs: number }>();
  readonly #recent: { readonly atMs: number; readonly lateMs: number }[] = [];
  /** The thread was awake then, and nothing was overdue. */
  #onTimeMs: number;
  /** It woke late then, and reads what came meanwhile; null while it is in time. */
  #catchingUpSinceMs: number | null = null;

  constructor(nowMs: () => number, setTimer: SetTimer) {
    this.#nowMs = nowMs;
    this.#setTimer = setTimer;
    this.#onTimeMs = nowMs();
  }

  /** The thread is to wake at this time. */
  expect(dueMs: number): Woken {
    const due = { dueMs };
    this.#dues.add(due);
    return (nowMs) => {
      if (this.#dues.delete(due) && nowMs >= dueMs) {
        this.#remember(nowMs, nowMs - dueMs);
        if (nowMs - dueMs > TOLERANCE_MS) {
          this.#catchUp(nowMs);
        }
      }
      this.awakeMs(nowMs);
    };
  }

  /** A timer whose lateness counts. */
  readonly setTimer: SetTimer = (callback, delayMs) => {
    const woken = this.expect(this.#nowMs() + delayMs);
    const cancel = this.#setTimer(() => {
      woken(this.#nowMs());
      callback();
    }, delayMs);
    return () => {
      woken(this.#nowMs());
      cancel();
    };
  };

  /** The thread is awake. How much earlier than now what it reads may have come; 0 where it is in time. */
  awakeMs(nowMs: number): number {
    const sinceMs = this.#catchingUpSinceMs;
    if (sinceMs !== null && nowMs - sinceMs > CATCHING_UP_MS) {
      this.#endCatchingUp(nowMs);
    }
    if (this.#isOverdue(nowMs)) {
      this.#catchUp(nowMs);
    }
    if (this.#catchingUpSinceMs !== null) {
      return nowMs - this.#onTimeMs;
    }
    this.#onTimeMs = nowMs;
    return 0;
  }

  /** By how much the thread was late at most in the last second. */
  recentMs(nowMs: number): number {
    this.#forgetRecentBefore(nowMs - RECENT_MS);
    return this.#recent.reduce((most, { lateMs }) => Math.max(most, lateMs), 0);
  }

  #catchUp(nowMs: number): void {
    if (this.#catchingUpSinceMs === null) {
      this.#catchingUpSinceMs = nowMs;
      this.#setTimer(() => this.#endCatchingUp(this.#nowMs()), 0); // runs after all that waits already
    }
  }

  /** What is overdue still is held back by the browser: it says nothing of this computer. */
  #endCatchingUp(nowMs: number): void {
    this.#catchingUpSinceMs = null;
    this.#onTimeMs = nowMs;
    for (const due of this.#dues) {
      if (due.dueMs < nowMs) {
        this.#dues.delete(due);
      }
    }
  }

  #isOverdue(nowMs: number): boolean {
    return [...this.#dues].some(({ dueMs }) => nowMs - dueMs > TOLERANCE_MS);
  }

  #remember(atMs: number, lateMs: number): void {
    this.#forgetRecentBefore(atMs - RECENT_MS);
    this.#recent.push({ atMs, lateMs });
  }

  #forgetRecentBefore(timeMs: number): void {
    const kept = this.#recent.findIndex(({ atMs }) => atMs > timeMs);
    this.#recent.splice(0, kept === -1 ? this.#recent.length : kept);
  }
}
