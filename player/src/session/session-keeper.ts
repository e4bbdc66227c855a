import { ReconnectSchedule } from "./reconnect-schedule.ts";
import {
  type AddressAnswer,
  type AskAddress,
  askAddress,
  nameOf,
  type ServerAddress,
} from "./server-address.ts";
import { RefusedSession, SessionIdle, SessionLost } from "./session-errors.ts";
import type { SessionState } from "./session-state.ts";
import type { SessionParameters } from "./session-url.ts";
import type { SetTimer } from "./set-timer.ts";
import { sitOutSilence } from "./sit-out-silence.ts";
import { Sleepers } from "./sleepers.ts";
import type { WorkerSession, WorkerSessionOptions } from "./worker-session.ts";

/** What one session is opened with. */
export type OpeningOptions = Pick<
  WorkerSessionOptions,
  "serverUrl" | "certificateHashes" | "sessionToken" | "parameters" | "onSilence"
>;

export interface SessionKeeperOptions {
  /** Asked before every session: a server's certificate changes when it restarts. null: there is no server now. */
  readonly address: AskAddress;
  readonly parameters: SessionParameters;
  /** Rejects where the code that a session needs cannot be had. */
  readonly open: (options: OpeningOptions) => WorkerSession | Promise<WorkerSession>;
  readonly onState: (state: SessionState) => void;
  readonly setTimer: SetTimer;
  /** Monotonic clock. */
  readonly nowMs: () => number;
  /** 0 to 1. */
  readonly random: () => number;
}

/** Waiting times between questions for the address, which cost no penalty; the last is repeated. */
const ASK_AFTER_MS = [250, 500, 1000, 2000] as const;
/** While an attempt must wait, the address is asked so often: another one may be tried at once. */
const ASK_EVERY_MS = 2000;
/** Chromium gives up a handshake after 5 to 10 s. */
const OPENING_MS = 15_000;

/** Keeps one session open: when it is lost a new one is opened, until it is refused or `close` is called. */
export class SessionKeeper {
  readonly #options: SessionKeeperOptions;
  readonly #schedule: ReconnectSchedule;
  readonly #sleepers: Sleepers;
  #parameters: SessionParameters;
  #session: WorkerSession | null = null;
  /** A new object for each: a question about an earlier one may be under way still. */
  #silence: object | null = null;
  #isOpen = false;
  #isEmulated = false;
  /** A new number ends every loop that runs under an older one. */
  #generation = 0;
  #isSuspended = false;
  #isClosed = false;
  #endRest: () => void = () => undefined;
  #giveUp: (error: SessionLost) => void = () => undefined;

  constructor(options: SessionKeeperOptions) {
    this.#options = options;
    this.#parameters = options.parameters;
    this.#schedule = new ReconnectSchedule(options);
    this.#sleepers = new Sleepers(options.setTimer);
    this.#start();
  }

  /** The open session; null while there is none. */
  session(): WorkerSession | null {
    return this.#isOpen ? this.#session : null;
  }

  /** Whether the server was behind an emulated link when its address was asked last. */
  get isEmulated(): boolean {
    return this.#isEmulated;
  }

  /** Leaves the present session for one with other parameters. */
  change(parameters: SessionParameters): void {
    this.#parameters = parameters;
    this.reconnect();
  }

  /** Leaves the present session for another at once; does nothing once closed. */
  reconnect(): void {
    this.#schedule.reset();
    if (!this.#isSuspended && !this.#isClosed) {
      this.#start();
    }
  }

  /** A request waits: the time to open another session, where the last had nothing to do and was ended for that. */
  want(): void {
    this.#endRest();
  }

  /** The browser is online again or the page is looked at: a good moment to try, and to see whether the session lives. */
  retrySoon(): void {
    this.#schedule.allowSoon();
    this.#session?.probe();
    this.#sleepers.wake();
  }

  /** Closes the session until `resume`. */
  suspend(): void {
    this.#isSuspended = true;
    this.#stop();
    this.#options.onState({ kind: "suspended" });
  }

  resume(): void {
    if (this.#isSuspended) {
      this.#isSuspended = false;
      this.reconnect();
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#stop();
  }

  #start(): void {
    this.#stop();
    void this.#keep(this.#generation);
  }

  #stop(): void {
    this.#generation += 1;
    this.#endRest();
    this.#sleepers.wake();
    this.#leave();
  }

  async #keep(generation: number): Promise<void> {
    const isCurrent = (): boolean => generation === this.#generation;
    this.#options.onState({ kind: "opening" });
    let questions = 0;
    /** Of an outage: each attempt to end it is no news. */
    let isLost = false;
    while (isCurrent()) {
      const answer = await this.#ask();
      if (!isCurrent()) {
        return;
      }
      if (answer.kind !== "address") {
        isLost = answer.kind === "failed";
        this.#options.onState(
          answer.kind === "failed"
            ? { kind: "lost", error: answer.error }
            : { kind: "away", reason: answer.reason },
        );
        await this.#sleepers.sleep(
          ASK_AFTER_MS[Math.min(questions++, ASK_AFTER_MS.length - 1)] ?? ASK_EVERY_MS,
        );
        continue;
      }
      questions = 0;
      const waitMs = this.#schedule.waitMs(nameOf(answer.address));
      if (waitMs > 0) {
        await this.#sleepers.sleep(Math.min(waitMs, ASK_EVERY_MS));
        continue;
      }
      if (!isLost) {
        this.#options.onState({ kind: "opening" });
      }
      // It may not even begin: a worker that the page may not start, a policy whose URL is none.
      const error = await this.#live(answer.address, isCurrent).catch(toError);
      if (!isCurrent()) {
        return; // it was left, and says nothing about the one that was opened instead
      }
      this.#schedule.onEnd();
      this.#leave();
      if (error instanceof RefusedSession) {
        this.#options.onState({ kind: "refused", error });
        return;
      }
      if (error instanceof SessionIdle) {
        const rest = this.#rest(); // whoever hears of the state may have a request
        this.#options.onState({ kind: "idle" });
        await rest;
        if (!isCurrent()) {
          return;
        }
        this.#options.onState({ kind: "opening" });
        continue;
      }
      isLost = true;
      this.#options.onState({ kind: "lost", error });
    }
  }

  /** Until `want`, or the keeper is stopped: pages that opened another at once would drive each other out. */
  #rest(): Promise<void> {
    return new Promise((resolve) => {
      this.#endRest = resolve;
    });
  }

  /** One session from its opening to its end; why it ended. */
  async #live(address: ServerAddress, isCurrent: () => boolean): Promise<Error> {
    const { onState, open } = this.#options;
    this.#schedule.onAttempt(nameOf(address));
    const givenUp = new Promise<SessionLost>((resolve) => {
      this.#giveUp = resolve;
    });
    const session = await open({
      serverUrl: address.serverUrl,
      certificateHashes: address.certificateHashes,
      sessionToken: address.sessionToken ?? null,
      parameters: this.#parameters,
      onSilence: (isSilent) => this.#onSilence(isSilent, session, address),
    });
    if (!isCurrent()) {
      session.close(); // it was left while its code was fetched
      return new SessionLost("the session was closed", true);
    }
    this.#session = session;
    const late = this.#options.setTimer(
      () => this.#giveUp(new SessionLost(`no session was opened within ${OPENING_MS / 1000} s`, false)),
      OPENING_MS,
    );
    const ended = await Promise.race([session.ready.then(() => null), session.closed, givenUp]).catch(
      toError,
    );
    late();
    if (ended === null && isCurrent()) {
      this.#isOpen = true;
      this.#schedule.onOpen();
      onState({ kind: "open" });
      const error = await Promise.race([session.closed, givenUp]);
      return error ?? new SessionLost("the media server ended the session", true);
    }
    return ended ?? new SessionLost("the session was closed", true);
  }

  #onSilence(isSilent: boolean, session: WorkerSession, address: ServerAddress): void {
    if (session !== this.#session || !this.#isOpen) {
      return;
    }
    if (isSilent) {
      void this.#sitOutSilence(address);
    } else {
      this.#silence = null;
      this.#options.onState({ kind: "open" });
    }
  }

  async #sitOutSilence(address: ServerAddress): Promise<void> {
    const silence = {};
    this.#silence = silence;
    const isSilent = (): boolean => this.#silence === silence;
    const reason = await sitOutSilence({
      address,
      ask: () => this.#ask(),
      sleep: (durationMs) => this.#sleepers.sleep(durationMs),
      nowMs: this.#options.nowMs,
      isSilent,
      onReachable: (isReachable) => this.#options.onState({ kind: "silent", isReachable }),
    });
    if (reason !== null && isSilent()) {
      this.#giveUp(new SessionLost(reason, true));
    }
  }

  async #ask(): Promise<AddressAnswer> {
    const answer = await askAddress(this.#options.address, this.#options.setTimer);
    if (answer.kind === "address") {
      this.#isEmulated = answer.address.isEmulated ?? false;
    }
    return answer;
  }

  #leave(): void {
    const session = this.#session;
    this.#session = null;
    this.#silence = null;
    this.#isOpen = false;
    session?.close();
  }
}

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
