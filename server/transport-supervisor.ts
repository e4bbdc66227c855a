import { inUrl, type TransportInfo, type WorkerInfo } from "./addresses.ts";
import type { Log } from "./log.ts";
import { NewcomerWatch } from "./newcomer-watch.ts";
import type { Message, ServiceCommand } from "./service-process.ts";
import type { Ticker } from "./silence.ts";
import { Supervisor } from "./supervisor.ts";

export interface TransportOptions {
  readonly command: ServiceCommand;
  readonly log: Log;
  /** The transport is at this address from now on: it has started, or the process that was there is gone. */
  readonly onMove?: (info: TransportInfo) => void;
  /** It has ended by itself, and is started again. */
  readonly onRestart?: () => void;
  readonly ticker?: Ticker;
}

/** The media server as a watched process: where it is, and how browsers can trust it now. */
export class TransportSupervisor {
  readonly #supervisor: Supervisor<TransportReady>;
  #info: TransportInfo | null = null;
  #newcomers = new NewcomerWatch();
  readonly #onMove: (info: TransportInfo) => void;

  constructor({ command, log, onMove, onRestart, ticker }: TransportOptions) {
    this.#onMove = onMove ?? (() => undefined);
    this.#supervisor = new Supervisor({
      command: () => command,
      parseReady: parseTransportReady,
      log,
      onUp: ({ ready }) => {
        this.#info = ready;
        this.#newcomers = new NewcomerWatch();
        const ports = (ready.workers ?? [ready]).map(({ port }) => port);
        log.info(`the media server is at ${inUrl(ready.host)}:${ports.join(", ")}`);
        this.#onMove(ready);
      },
      onMessage: (message) => this.#hear(message),
      isFarewell: ({ event }) => event === "stopping",
      ...(onRestart === undefined ? {} : { onRestart }),
      ...(ticker === undefined ? {} : { ticker }),
    });
  }

  /** Where the transport listens now; null while it, or each of its workers, is away or does not answer. */
  get info(): TransportInfo | null {
    return this.#supervisor.answering === null || this.#info?.workers?.length === 0 ? null : this.#info;
  }

  /** Where it tells its metrics over HTTP; null while it is away. */
  get metricsPort(): number | null {
    return this.#supervisor.answering?.ready.metricsPort ?? null;
  }

  /** Whether a new session could be opened with it when it tried last. */
  get letsNewcomersIn(): boolean {
    return this.#newcomers.getIn(performance.now());
  }

  /** @throws ServiceError if it cannot be started this first time */
  start(signal: AbortSignal): Promise<void> {
    return this.#supervisor.start(signal);
  }

  stop(): Promise<void> {
    return this.#supervisor.stop();
  }

  #hear(message: Message): void {
    if (message.event === "newcomers") this.#newcomers.hear(message.can_enter === true, performance.now());
    if (this.#info === null) return;
    const hashes = certificateHashesIn(message);
    if (message.event === "certificate" && hashes !== null) {
      this.#info = { ...this.#info, certificateHashes: hashes };
    }
    const workers = workersIn(message, this.#info.host);
    if (message.event === "workers" && workers !== null) this.#noteWorkers(workers, this.#info);
  }

  /** Who needs one address keeps it for as long as a worker is there. */
  #noteWorkers(workers: readonly WorkerInfo[], before: TransportInfo): void {
    const same = workers.find(({ port, certificateHashes }) => isSame({ port, certificateHashes }, before));
    this.#info = { ...before, ...(same ?? workers[0]), workers };
    if (same === undefined && workers.length > 0) this.#onMove(this.#info);
  }
}

/** A port may have been taken by a successor, which has certificates of its own, unless it was issued one: then none is named. */
function isSame(now: Pick<WorkerInfo, "port" | "certificateHashes">, before: WorkerInfo): boolean {
  return (
    now.port === before.port &&
    (before.certificateHashes.length === 0 ||
      before.certificateHashes.some((hash) => now.certificateHashes.includes(hash)))
  );
}

interface TransportReady extends TransportInfo {
  readonly metricsPort?: number;
}

/** @returns null if the message is not the ready line of `python -m transport serve` */
export function parseTransportReady(message: Message): TransportReady | null {
  const { event, host, port, metrics_port: metricsPort } = message;
  const certificateHashes = certificateHashesIn(message);
  if (event !== "ready" || typeof host !== "string" || typeof port !== "number") return null;
  if (certificateHashes === null) return null;
  const workers = workersIn(message, host);
  return {
    host,
    port,
    certificateHashes,
    ...(workers === null ? {} : { workers }),
    ...(typeof metricsPort === "number" ? { metricsPort } : {}),
  };
}

/** @returns null where the message tells of none */
function workersIn({ workers }: Message, host: string): WorkerInfo[] | null {
  if (!Array.isArray(workers)) return null;
  return workers.flatMap((worker: Message) => {
    const { port, sessions } = worker;
    const certificateHashes = certificateHashesIn(worker);
    if (typeof port !== "number" || typeof sessions !== "number" || certificateHashes === null) return [];
    return { host, port, sessions, certificateHashes };
  });
}

function certificateHashesIn({ certificate_sha256: hashes }: Message): string[] | null {
  if (!Array.isArray(hashes) || !hashes.every((hash) => typeof hash === "string")) return null;
  return hashes;
}
