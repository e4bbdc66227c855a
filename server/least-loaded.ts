import type { WorkerInfo } from "./addresses.ts";

/** Longer than a page takes to open its session, and the transport to tell of it. */
const UNDER_WAY_MS = 1_500;

/** So many pages that lately found no way to a worker without sessions: there may be none, as where a firewall bars its port. */
const UNARRIVED = 3;
const LATELY_MS = 60_000;
/** Of a session: such a worker comes after an equal one. */
const HELD_BACK = 0.5;

/**
 * Gives each session the worker with the fewest; those that are on their way count, too. One that nobody reaches has none, and
 * would be given to all: it counts as much as the others do on average. No more, since pages that open no session look alike.
 * Told the time, in ms.
 */
export class LeastLoaded {
  /** When addresses were given out, by port: those on their way, and the last few of which no session is known. */
  readonly #givenAtMs = new Map<number, number[]>();

  /** @param workers at least one */
  choose(workers: readonly WorkerInfo[], nowMs: number): WorkerInfo {
    const all = workers.reduce((sum, worker) => sum + (worker.sessions ?? 0), 0);
    const loadOf = (worker: WorkerInfo) =>
      (this.#maybeOutOfReach(worker, nowMs)
        ? all / Math.max(1, workers.length - 1) + HELD_BACK
        : (worker.sessions ?? 0)) + this.#underWay(worker.port, nowMs).length;
    const chosen = workers.reduce((least, worker) => (loadOf(worker) < loadOf(least) ? worker : least));
    const { port, sessions } = chosen;
    const unarrived = sessions === 0 ? this.#unarrived(port, nowMs).slice(-UNARRIVED) : [];
    this.#givenAtMs.set(port, [...unarrived, ...this.#underWay(port, nowMs), nowMs]);
    return chosen;
  }

  #maybeOutOfReach({ port, sessions }: WorkerInfo, nowMs: number): boolean {
    return sessions === 0 && this.#unarrived(port, nowMs).length >= UNARRIVED;
  }

  #underWay(port: number, nowMs: number): number[] {
    return this.#given(port).filter((atMs) => nowMs - atMs < UNDER_WAY_MS);
  }

  #unarrived(port: number, nowMs: number): number[] {
    return this.#given(port).filter((atMs) => nowMs - atMs >= UNDER_WAY_MS && nowMs - atMs < LATELY_MS);
  }

  #given(port: number): readonly number[] {
    return this.#givenAtMs.get(port) ?? [];
  }
}
