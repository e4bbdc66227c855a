import { clockText } from "../words/units.ts";

/** Time that both films have been playing by one clock; a common pause does not count. */
export class FilmClock {
  #elapsedMs = 0;
  #runningSinceMs: number | null = null;

  get isRunning(): boolean {
    return this.#runningSinceMs !== null;
  }

  start(nowMs: number): void {
    this.#runningSinceMs ??= nowMs;
  }

  pause(nowMs: number): void {
    this.#elapsedMs = this.elapsedMs(nowMs);
    this.#runningSinceMs = null;
  }

  elapsedMs(nowMs: number): number {
    return this.#elapsedMs + (this.#runningSinceMs === null ? 0 : nowMs - this.#runningSinceMs);
  }

  /** "1:05". */
  text(nowMs: number): string {
    return clockText(this.elapsedMs(nowMs));
  }
}
