import type { WorkerInfo } from "./addresses.ts";

/** Longer than a page takes to open its session, and the transport to tell of it. */
const UNDER_WAY_MS = 1_500;

/** So many pages that lately found no way to a worker without sessions: there may be none, as where a firewall bars its port. */
const UNARRIVED = 3;
const LATELY_MS = 60_000;

/**
 * Gives each session the worker with the fewest; those that are on their way count, too. One that nobody reaches has none, and
 * would be given to all: it is tried now and then. Told the time, in ms.
 */
export class LeastLoaded {
  /** When addresses were given out, by port: those on their way, and the last few of which no session is known. */
  readonly #givenAtMs = new Map<number, number[]>();

  /** @param workers at least one */
  choose(workers: readonly WorkerInfo[], nowMs: number): WorkerInfo {
    const reached = workers.filter((worker) => !this.#isOutOfReach(worker, nowMs));
    const loadOf = (worker: WorkerInfo) => (worker.sessions ?? 0) + this.#underWay(worker.port, nowMs).length;
    const chosen = (reached.length > 0 ? reached : workers).reduce((least, worker) =>
      loadOf(worker) < loadOf(least) ? worker : least,
    );
    const { port, sessions } = chosen;
    const unarrived = sessions === 0 ? this.#unarrived(port, nowMs).slice(-UNARRIVED) : [];
    this.#givenAtMs.set(port, [...unarrived, ...this.#underWay(port, nowMs), nowMs]);
    return chosen;
  }

  #isOutOfReach({ port, sessions }: WorkerInfo, nowMs: number): boolean {
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
