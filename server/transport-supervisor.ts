import type { TransportInfo } from "./addresses.ts";
import type { Log } from "./log.ts";
import { NewcomerWatch } from "./newcomer-watch.ts";
import type { Message, ServiceCommand } from "./service-process.ts";
import type { Ticker } from "./silence.ts";
import { Supervisor } from "./supervisor.ts";

export interface TransportOptions {
  readonly command: ServiceCommand;
  readonly log: Log;
  /** The transport has started, under this address; it changes with each start. */
  readonly onUp?: (info: TransportInfo) => void;
  readonly ticker?: Ticker;
}

/** The media server as a watched process: where it is, and how browsers can trust it now. */
export class TransportSupervisor {
  readonly #supervisor: Supervisor<TransportInfo>;
  #info: TransportInfo | null = null;
  #newcomers = new NewcomerWatch();

  constructor({ command, log, onUp, ticker }: TransportOptions) {
    this.#supervisor = new Supervisor({
      command: () => command,
      parseReady: parseTransportReady,
      log,
      onUp: ({ ready }) => {
        this.#info = ready;
        this.#newcomers = new NewcomerWatch();
        log.info(`the transport is at ${ready.host}:${ready.port}`);
        onUp?.(ready);
      },
      onMessage: (message) => this.#hear(message),
      isFarewell: ({ event }) => event === "stopping",
      ...(ticker === undefined ? {} : { ticker }),
    });
  }

  /** Where the transport listens now; null while it is away or does not answer. */
  get info(): TransportInfo | null {
    return this.#supervisor.answering === null ? null : this.#info;
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
    const hashes = certificateHashesIn(message);
    if (message.event !== "certificate" || hashes === null || this.#info === null) return;
    this.#info = { ...this.#info, certificateHashes: hashes };
  }
}

/** @returns null if the message is not the ready line of `python -m transport serve` */
export function parseTransportReady(message: Message): TransportInfo | null {
  const { event, host, port } = message;
  const certificateHashes = certificateHashesIn(message);
  if (event !== "ready" || typeof host !== "string" || typeof port !== "number") return null;
  return certificateHashes && { host, port, certificateHashes };
}

function certificateHashesIn({ certificate_sha256: hashes }: Message): string[] | null {
  if (!Array.isArray(hashes) || !hashes.every((hash) => typeof hash === "string")) return null;
  return hashes;
}
