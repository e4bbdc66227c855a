import type { WorkerInfo } from "./addresses.ts";

/** Longer than a page takes to open its session, and the transport to tell of it. */
const UNDER_WAY_MS = 1_500;

/** Gives each session the worker with the fewest; those that are on their way count, too. Told the time, in ms. */
export class LeastLoaded {
  /** When addresses were given out, by port. */
  readonly #givenAtMs = new Map<number, number[]>();

  /** @param workers at least one */
  choose(workers: readonly WorkerInfo[], nowMs: number): WorkerInfo {
    const loadOf = (worker: WorkerInfo) => (worker.sessions ?? 0) + this.#underWay(worker.port, nowMs).length;
    const chosen = workers.reduce((least, worker) => (loadOf(worker) < loadOf(least) ? worker : least));
    this.#givenAtMs.set(chosen.port, [...this.#underWay(chosen.port, nowMs), nowMs]);
    return chosen;
  }

  #underWay(port: number, nowMs: number): number[] {
    return (this.#givenAtMs.get(port) ?? []).filter((atMs) => nowMs - atMs < UNDER_WAY_MS);
  }
}
