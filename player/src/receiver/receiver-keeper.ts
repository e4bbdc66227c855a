import type { SetTimer } from "./feedback-sender.ts";
import type { NetworkEstimate } from "./network-estimate.ts";
import { openReceiver, type Receiver, type ReceiverOptions } from "./receiver.ts";
import { RefusedSession, SessionLost } from "./receiver-errors.ts";
import type { SessionParameters } from "./session-url.ts";
import { appendRecords, type StampRecord } from "./stamp-record.ts";

export interface ServerAddress {
  readonly serverUrl: string;
  readonly certificateHashes: readonly string[];
}

export type SessionState =
  | { readonly kind: "opening" }
  | { readonly kind: "open" }
  /** A new session will be tried. */
  | { readonly kind: "lost"; readonly error: Error }
  /** No other session will be tried. */
  | { readonly kind: "refused"; readonly error: RefusedSession };

export interface ReceiverKeeperOptions {
  /** Asked before every session: a server's certificate changes when it restarts. */
  readonly address: () => Promise<ServerAddress>;
  readonly parameters: SessionParameters;
  readonly onEstimate: (estimate: NetworkEstimate) => void;
  readonly onState: (state: SessionState) => void;
  readonly setTimer: SetTimer;
  readonly open?: (options: ReceiverOptions) => Receiver;
}

/** Waiting times between sessions; the last is repeated. */
const REOPEN_AFTER_MS = [250, 1000, 2000, 5000] as const;

/**
 * A session that says nothing for so long may belong to a server that is no more, which QUIC notices only after its
 * idle timeout; a cellular link can be silent as long, so the server is asked whether it is still the same.
 */
const SUSPICIOUS_SILENCE_SECONDS = 3;

/** Keeps one session open: when it is lost a new one is opened, until it is refused or `close` is called. */
export class ReceiverKeeper {
  readonly #options: ReceiverKeeperOptions;
  readonly #pastRecords: StampRecord[] = [];
  #waiting: { resolve: (receiver: Receiver) => void; reject: (reason: unknown) => void }[] = [];
  #receiver: Receiver | null = null;
  #isOpen = false;
  #refusal: RefusedSession | null = null;
  #isClosed = false;
  #losses = 0;
  #isAsking = false;
  #cancelReopening: () => void = () => undefined;

  constructor(options: ReceiverKeeperOptions) {
    this.#options = options;
    void this.#openNext();
  }

  /** The open receiver, now or when there is one. Rejects with RefusedSession, or SessionLost after `close`. */
  current(): Promise<Receiver> {
    if (this.#refusal !== null) {
      return Promise.reject(this.#refusal);
    }
    if (this.#isClosed) {
      return Promise.reject(new SessionLost("the session was closed", true));
    }
    if (this.#receiver !== null && this.#isOpen) {
      return Promise.resolve(this.#receiver);
    }
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  /** Stamps of all sessions so far. */
  records(): StampRecord[] {
    return [...this.#pastRecords, ...(this.#receiver?.records() ?? [])];
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelReopening();
    this.#receiver?.close();
    this.#rejectWaiting(new SessionLost("the session was closed", true));
  }

  async #openNext(): Promise<void> {
    const { address, parameters, onState, open = openReceiver } = this.#options;
    onState({ kind: "opening" });
    try {
      const { serverUrl, certificateHashes } = await address();
      if (this.#isClosed) {
        return;
      }
      const onEstimate = (estimate: NetworkEstimate): void => this.#onEstimate(estimate, certificateHashes);
      const receiver = open({ serverUrl, certificateHashes, parameters, onEstimate });
      this.#receiver = receiver;
      await receiver.ready;
      if (this.#receiver !== receiver) {
        return;
      }
      this.#isOpen = true;
      this.#losses = 0;
      onState({ kind: "open" });
      for (const { resolve } of this.#waiting.splice(0)) {
        resolve(receiver);
      }
      const error = await receiver.closed;
      if (this.#receiver === receiver) {
        this.#onEnd(error);
      }
    } catch (error) {
      this.#onEnd(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #onEstimate(estimate: NetworkEstimate, certificateHashes: readonly string[]): void {
    this.#options.onEstimate(estimate);
    if (estimate.silenceSeconds > SUSPICIOUS_SILENCE_SECONDS && !this.#isAsking && this.#isOpen) {
      this.#isAsking = true;
      void this.#leaveAnotherServer(certificateHashes).finally(() => {
        this.#isAsking = false;
      });
    }
  }

  /** Ends the session if the server's certificate is no longer the one that it was opened with. */
  async #leaveAnotherServer(certificateHashes: readonly string[]): Promise<void> {
    const receiver = this.#receiver;
    const current = await this.#options.address().catch(() => null); // a page's server that is away says nothing
    const isSame =
      current === null || certificateHashes.every((hash) => current.certificateHashes.includes(hash));
    if (receiver !== null && receiver === this.#receiver && !isSame) {
      receiver.close();
      this.#onEnd(new SessionLost("the media server was restarted", true));
    }
  }

  #onEnd(error: Error | null): void {
    this.#isOpen = false;
    appendRecords(this.#pastRecords, this.#receiver?.records() ?? []);
    this.#receiver = null;
    if (this.#isClosed) {
      return;
    }
    if (error instanceof RefusedSession) {
      this.#refusal = error;
      this.#rejectWaiting(error);
      this.#options.onState({ kind: "refused", error });
      return;
    }
    const lost = error ?? new SessionLost("the media server ended the session", true);
    this.#options.onState({ kind: "lost", error: lost });
    const delayMs = REOPEN_AFTER_MS[Math.min(this.#losses, REOPEN_AFTER_MS.length - 1)] ?? 0;
    this.#losses += 1;
    this.#cancelReopening = this.#options.setTimer(() => void this.#openNext(), delayMs);
  }

  #rejectWaiting(error: Error): void {
    for (const { reject } of this.#waiting.splice(0)) {
      reject(error);
    }
  }
}
