import type { ServerAddress } from "../server-address.ts";
import { type RefusedSession, SessionLost } from "../session-errors.ts";
import { type OpeningOptions, SessionKeeper } from "../session-keeper.ts";
import type { SessionState } from "../session-state.ts";
import type { WorkerSession } from "../worker-session.ts";
import { parameters } from "./sample-parameters.ts";

class FakeSession implements WorkerSession {
  readonly ready: Promise<void>;
  readonly closed: Promise<RefusedSession | SessionLost | null>;
  readonly options: OpeningOptions;
  isClosed = false;
  probes = 0;
  becomeReady: () => void = () => undefined;
  end: (error: RefusedSession | SessionLost | null) => void = () => undefined;

  constructor(options: OpeningOptions) {
    this.options = options;
    let failReady: (reason: unknown) => void = () => undefined;
    this.ready = new Promise((resolve, reject) => {
      this.becomeReady = resolve;
      failReady = reject;
    });
    this.ready.catch(() => undefined);
    this.closed = new Promise((resolve) => {
      this.end = (error) => {
        failReady(error ?? new SessionLost("the session was closed", true));
        resolve(error);
      };
    });
  }

  request(): never {
    throw new Error("not used here");
  }

  tell(): void {}

  probe(): void {
    this.probes += 1;
  }

  close(): void {
    this.isClosed = true;
    this.end(null);
  }
}

/** Lets all that waits for nothing but promises go on. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) {
    await Promise.resolve();
  }
}

export const failedHandshake = new SessionLost("handshake failed", false);
export const lost = new SessionLost("the session broke off", true);
export const FIRST: ServerAddress = { serverUrl: "https://127.0.0.1:4433", certificateHashes: ["first"] };
export const SECOND: ServerAddress = { ...FIRST, certificateHashes: ["second"] };

/** A keeper with a clock, sessions and a page's server that do as a test says. */
export class KeeperStage {
  readonly keeper: SessionKeeper;
  readonly opened: FakeSession[] = [];
  readonly openedAtMs: number[] = [];
  readonly states: SessionState[] = [];
  /** What the page's server answers; "none": nothing at all. */
  answer: ServerAddress | null | Error | "none" = FIRST;
  askedAtMs: number[] = [];
  /** While it is there, that answer comes when it has resolved. */
  answers: Promise<void> | null = null;
  /** Every handshake fails at once. */
  isFailing = false;
  /** The page may not start a worker. */
  openingError: Error | null = null;
  /** While it is there, the code of sessions is being fetched. */
  codeFetched: Promise<void> | null = null;
  #timers: { callback: () => void; dueMs: number }[] = [];
  nowMs = 0;

  private constructor() {
    this.keeper = this.make();
  }

  /** Its first session is being opened. */
  static async begin(): Promise<KeeperStage> {
    const stage = new KeeperStage();
    await settle();
    return stage;
  }

  kinds(): string[] {
    return this.states.map(({ kind }) => kind);
  }

  newest(): FakeSession {
    const session = this.opened.at(-1);
    if (session === undefined) {
      throw new Error("no session was opened");
    }
    return session;
  }

  /** Lets time pass, timer by timer. */
  async pass(durationMs: number): Promise<void> {
    const endMs = this.nowMs + durationMs;
    for (;;) {
      await settle();
      const next = this.#timers.toSorted((a, b) => a.dueMs - b.dueMs)[0];
      if (next === undefined || next.dueMs > endMs) {
        break;
      }
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.nowMs = next.dueMs;
      next.callback();
    }
    this.nowMs = endMs;
  }

  async open(): Promise<void> {
    this.newest().becomeReady();
    await settle();
  }

  /** One more keeper on this stage. */
  make(): SessionKeeper {
    return new SessionKeeper({
      address: async () => {
        this.askedAtMs.push(this.nowMs);
        await this.answers;
        if (this.answer === "none") {
          return new Promise(() => undefined);
        }
        return this.answer instanceof Error ? Promise.reject(this.answer) : Promise.resolve(this.answer);
      },
      parameters,
      onState: (state) => this.states.push(state),
      setTimer: (callback, delayMs) => this.setTimer(callback, delayMs),
      nowMs: () => this.nowMs,
      random: () => 0.5,
      open: async (options) => {
        await this.codeFetched;
        if (this.openingError !== null) {
          throw this.openingError;
        }
        const session = new FakeSession(options);
        this.opened.push(session);
        this.openedAtMs.push(this.nowMs);
        if (this.isFailing) {
          session.end(failedHandshake);
        }
        return session;
      },
    });
  }

  setTimer(callback: () => void, delayMs: number): () => void {
    const timer = { callback, dueMs: this.nowMs + delayMs };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }
}
