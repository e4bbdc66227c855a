import { setTimeout as delay } from "node:timers/promises";
import type { TransportInfo } from "./addresses.ts";
import type { Log } from "./log.ts";
import {
  type RunningTransport,
  startTransport,
  type TransportCommand,
  TransportError,
} from "./transport-process.ts";

/** Waits before the restarts that follow each other; the last one is repeated. */
const RESTART_DELAYS_MS: readonly number[] = [100, 200, 500, 1_000, 2_000, 5_000];

/** A transport that ran this long was well: the waits begin anew. */
const WELL_AFTER_MS = 10_000;

/** A transport is replaced so long before its certificate ends; a new one makes itself a new one. */
const RENEW_BEFORE_MS = 24 * 3_600_000;

/** When certificates are looked at. The clock is asked each time, since timers stand still while a machine sleeps. */
export interface RenewalClock {
  /** Time of the epoch. */
  readonly nowMs: () => number;
  readonly checkIntervalMs: number;
}

const RENEWAL_CLOCK: RenewalClock = { nowMs: Date.now, checkIntervalMs: 10 * 60_000 };

/**
 * Keeps a transport running: starts it again when it ends, sooner at first, later when that does not help, and in time
 * before its certificate ends. Pages open their sessions again by themselves.
 */
export class TransportSupervisor {
  readonly #command: TransportCommand;
  readonly #log: Log;
  readonly #renewal: RenewalClock;
  readonly #stopping = new AbortController();
  #running: RunningTransport | null = null;
  #supervision: Promise<void> = Promise.resolve();

  constructor(command: TransportCommand, log: Log, renewal: RenewalClock = RENEWAL_CLOCK) {
    this.#command = command;
    this.#log = log;
    this.#renewal = renewal;
  }

  /** Where the transport listens now; null while it is away. */
  get info(): TransportInfo | null {
    return this.#running?.info ?? null;
  }

  /**
   * Starts the transport; from then on it is watched.
   *
   * @param signal ends the wait for its first start
   * @throws TransportError if it cannot be started this first time
   */
  async start(signal: AbortSignal): Promise<void> {
    const running = await startTransport(this.#command, signal);
    this.#supervision = this.#supervise(running);
  }

  /** Ends the transport; resolves when its process is gone. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running?.stop();
    await this.#supervision;
  }

  async #supervise(first: RunningTransport): Promise<void> {
    let running: RunningTransport | null = first;
    let attempts = 0;
    while (running !== null) {
      const startedAtMs = performance.now();
      this.#running = running;
      const renewal = this.#stopBeforeExpiry(running);
      const how = await running.ended;
      renewal.cancel();
      this.#running = null;
      if (this.#stopping.signal.aborted) return;
      if (performance.now() - startedAtMs > WELL_AFTER_MS) attempts = 0;
      if (!renewal.isDone()) this.#log.error(`the transport ${how}; starting it again`);
      ({ running, attempts } = await this.#restart(attempts));
    }
  }

  #stopBeforeExpiry(running: RunningTransport): { cancel: () => void; isDone: () => boolean } {
    const { nowMs, checkIntervalMs } = this.#renewal;
    let isDone = false;
    const timer = setInterval(() => {
      if (nowMs() < running.certificateNotAfterMs - RENEW_BEFORE_MS) return;
      clearInterval(timer);
      isDone = true;
      const end = new Date(running.certificateNotAfterMs).toISOString();
      this.#log.info(`the transport's certificate ends at ${end}; starting it again with a new one`);
      void running.stop();
    }, checkIntervalMs);
    return { cancel: () => clearInterval(timer), isDone: () => isDone };
  }

  /** @returns null as the transport if it was stopped meanwhile */
  async #restart(attemptsSoFar: number): Promise<{ running: RunningTransport | null; attempts: number }> {
    let attempts = attemptsSoFar;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const delayMs = RESTART_DELAYS_MS[Math.min(attempts, RESTART_DELAYS_MS.length - 1)];
      attempts += 1;
      try {
        await delay(delayMs, undefined, { signal });
        const running = await startTransport(this.#command, signal);
        this.#log.info(`the transport is back at ${running.info.host}:${running.info.port}`);
        return { running, attempts };
      } catch (error) {
        if (signal.aborted) break;
        if (!(error instanceof TransportError)) throw error;
        this.#log.error(error.message);
      }
    }
    return { running: null, attempts };
  }
}
