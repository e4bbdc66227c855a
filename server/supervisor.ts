import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "./log.ts";
import {
  type Message,
  type RunningService,
  type ServiceCommand,
  ServiceError,
  startService,
} from "./service-process.ts";
import { Silence, systemTicker, type Ticker } from "./silence.ts";

/** Waits before the restarts that follow each other; the last one is repeated. */
const RESTART_DELAYS_MS: readonly number[] = [100, 200, 500, 1_000, 2_000, 5_000];

/** Ctrl-C reaches the service, too, and may reach it first: its end is no failure if this process is stopped as well. */
const SIGNAL_GRACE_MS = 100;

/** A service that ran this long was well: the waits begin anew. */
const WELL_AFTER_MS = 10_000;

export interface SupervisorOptions<Ready> {
  /** Asked before each start; `failures` counts the starts that have just failed in a row. */
  readonly command: (failures: number) => ServiceCommand;
  readonly parseReady: (message: Message) => Ready | null;
  readonly log: Log;
  /** A service has started, the first one included. */
  readonly onUp?: (running: RunningService<Ready>) => void;
  /** It has ended. */
  readonly onDown?: () => void;
  /** It has ended by itself, and is started again. */
  readonly onRestart?: () => void;
  readonly onMessage?: (message: Message) => void;
  /** Whether a service says that it is about to end: another is started meanwhile. */
  readonly isFarewell?: (message: Message) => boolean;
  /** Called every tick; a service that says nothing by itself is asked something here. */
  readonly onTick?: (running: RunningService<Ready>) => void;
  readonly ticker?: Ticker;
}

/**
 * Keeps a service running: starts it again when it ends, sooner at first, later when that does not help, and ends one
 * from which nothing is heard any more. Every line that a service writes is a sign of life.
 */
export class Supervisor<Ready> {
  readonly #options: SupervisorOptions<Ready>;
  readonly #stopping = new AbortController();
  #running: RunningService<Ready> | null = null;
  #silence = new Silence();
  #name = "";
  #firstStart: Promise<unknown> = Promise.resolve();
  #supervision: Promise<void> = Promise.resolve();
  /** Of the service that runs. */
  #onFarewell: () => void = () => undefined;
  readonly #leaving = new Set<Promise<void>>();

  constructor(options: SupervisorOptions<Ready>) {
    this.#options = options;
  }

  /** The service; null while it is away or silent. */
  get answering(): RunningService<Ready> | null {
    return this.#silence.isLong ? null : this.#running;
  }

  /**
   * Starts the service; from then on it is watched.
   *
   * @param signal ends the wait for its first start
   * @throws ServiceError if it cannot be started this first time
   */
  async start(signal: AbortSignal): Promise<void> {
    const start = this.#startOnce(0, AbortSignal.any([signal, this.#stopping.signal]));
    this.#firstStart = start.catch(() => undefined); // whoever starts it is told
    this.#supervision = this.#supervise(await start);
  }

  /** Ends the service; resolves when its process is gone. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#firstStart;
    await Promise.all([this.#running?.stop(), ...this.#leaving]);
    await this.#supervision;
  }

  #startOnce(failures: number, signal: AbortSignal): Promise<RunningService<Ready>> {
    const { parseReady, onMessage, isFarewell } = this.#options;
    const command = this.#options.command(failures);
    this.#name = command.name;
    return startService({
      command,
      parseReady,
      onMessage: (message) => {
        this.#silence.end();
        if (isFarewell?.(message)) this.#onFarewell();
        onMessage?.(message);
      },
      signal,
    });
  }

  async #supervise(first: RunningService<Ready>): Promise<void> {
    let running: RunningService<Ready> | null = first;
    let attempts = 0;
    while (running !== null) {
      const startedAtMs = performance.now();
      const how = await this.#watch(running);
      if (this.#stopping.signal.aborted) return;
      this.#options.onRestart?.();
      if (performance.now() - startedAtMs > WELL_AFTER_MS) attempts = 0;
      const sentence = `the ${this.#name} ${how}; starting it again`;
      const telling = setTimeout(() => this.#options.log.error(sentence), SIGNAL_GRACE_MS);
      ({ running, attempts } = await this.#restart(attempts));
      if (this.#stopping.signal.aborted) clearTimeout(telling);
    }
  }

  /** @returns how it ended */
  async #watch(running: RunningService<Ready>): Promise<string> {
    const { onUp, onDown, onTick, ticker = systemTicker } = this.#options;
    const silence = new Silence();
    this.#silence = silence;
    this.#running = running;
    const cancel = ticker(() => {
      silence.tick();
      if (silence.isDeadly) running.kill();
      else onTick?.(running);
    });
    const farewell = new Promise<string>((resolve) => {
      this.#onFarewell = () => resolve("is about to end");
    });
    onUp?.(running);
    const how = await Promise.race([running.ended, farewell]);
    cancel();
    this.#running = null;
    this.#seeOff(running);
    onDown?.();
    return silence.isDeadly ? `said nothing for 5 s and ${how}` : how;
  }

  /** A service that has said farewell is made to end, if it does not by itself. */
  #seeOff(running: RunningService<Ready>): void {
    const gone = running.stop().finally(() => this.#leaving.delete(gone));
    this.#leaving.add(gone);
  }

  /** @returns null as the service if it was stopped meanwhile */
  async #restart(
    attemptsSoFar: number,
  ): Promise<{ running: RunningService<Ready> | null; attempts: number }> {
    let attempts = attemptsSoFar;
    const { signal } = this.#stopping;
    for (let failures = 0; !signal.aborted; failures += 1) {
      const delayMs = RESTART_DELAYS_MS[Math.min(attempts, RESTART_DELAYS_MS.length - 1)];
      attempts += 1;
      try {
        await delay(delayMs, undefined, { signal });
        return { running: await this.#startOnce(failures, signal), attempts };
      } catch (error) {
        if (signal.aborted) break;
        if (!(error instanceof ServiceError)) throw error;
        this.#options.log.error(error.message);
      }
    }
    return { running: null, attempts };
  }
}
