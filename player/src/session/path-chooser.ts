import { atom, type ReadableAtom } from "nanostores";
import type { MediaPath } from "./media-path.ts";
import { SessionLost } from "./session-errors.ts";
import type { SessionState } from "./session-state.ts";
import type { SetTimer } from "./set-timer.ts";
import type { WorkerSession } from "./worker-session.ts";

/** How long the first requests wait for a session before they go over HTTP. */
export const HEAD_START_MS = 1500;
/** The same after a session that worked and was left for another: the film has a buffer, and a policy may be loaded first. */
export const NEXT_HEAD_START_MS = 3000;
/** How long a first session over an emulated link is waited for: where none ever opens, the browser or its network has no way. */
export const FIRST_SESSION_PATIENCE_MS = 10_000;

type RequestingSession = Pick<WorkerSession, "request">;

/** A way for one request. */
export type Way =
  | {
      readonly kind: "webtransport";
      readonly session: RequestingSession;
      /** Aborted when this session is left: what is still open is to be fetched by the next way. */
      readonly left: AbortSignal;
    }
  | { readonly kind: "http" };

export interface PathChooserOptions {
  /** The open session; null while there is none. */
  readonly session: () => RequestingSession | null;
  /** A request waits, though the session may rest. */
  readonly onWanted?: () => void;
  /** Whether segments may come over HTTP. */
  readonly fallback: boolean;
  /** The server is behind an emulated link: HTTP would go around it, so an outage of a link that worked is waited for. */
  readonly isEmulated: () => boolean;
  readonly setTimer: SetTimer;
}

/**
 * Which way segments go: over WebTransport while a session is open and speaks, else over HTTP. At the start WebTransport
 * has a head start. Over an emulated link HTTP is taken only when the media server is gone, refuses or closes, or never answered.
 */
export class PathChooser {
  readonly #options: PathChooserOptions;
  readonly path: ReadableAtom<MediaPath>;
  readonly #path = atom<MediaPath>({ kind: "connecting", reason: null });
  #leaving = new AbortController();
  readonly #waiting = new Set<() => void>();
  /** null while no head start runs. */
  #cancelHeadStart: (() => void) | null;
  #refusal: Error | null = null;
  #wasOpen = false;
  #isResting = false;
  #isPatienceOver = false;
  #cancelPatience: (() => void) | null = null;

  constructor(options: PathChooserOptions) {
    this.#options = options;
    this.path = this.#path;
    this.#cancelHeadStart = this.#startHeadStart(HEAD_START_MS);
  }

  /** What the keeper of the session says. */
  onSession(state: SessionState): void {
    switch (state.kind) {
      case "open":
        this.#wasOpen = true;
        this.#isPatienceOver = false;
        this.#cancelPatience?.();
        this.#endHeadStart();
        this.#go({ kind: "webtransport", reason: null });
        break;
      case "opening":
        this.#onOpening();
        break;
      case "silent":
        this.#onSilence(state.isReachable);
        break;
      case "away":
        this.#goOverHttp(state.reason);
        break;
      case "lost":
        this.#onLost(state.error);
        break;
      case "refused":
        this.refuse(state.error, `the media server refuses the session: ${plain(state.error.message)}`);
        break;
      case "idle":
        this.#rest();
        break;
      case "suspended":
        this.#endHeadStart();
        this.#go({ kind: "connecting", reason: "the page is out of sight" });
        break;
    }
  }

  /** No session can be had: over HTTP, and where that is no way requests fail with this error. */
  refuse(error: Error, reason = error.message): void {
    this.#refusal = error;
    this.#goOverHttp(reason);
  }

  /** No session is wanted any more: over HTTP, also where that was no way. */
  giveUp(reason: string): void {
    this.#cancelPatience?.();
    this.#endHeadStart();
    this.#go({ kind: "http", reason });
  }

  /** Whether the web server may be asked for what the media server has not, which an emulated link would not slow. */
  get mayAskHttp(): boolean {
    return this.#options.fallback && !this.#options.isEmulated();
  }

  /**
   * The way for a request, now or when there is one; not over `tried`, on which it just failed. Rejects with why no
   * session can be had where HTTP is no way either, and with the signal's reason.
   */
  async next(signal: AbortSignal, tried: RequestingSession | null = null): Promise<Way> {
    for (;;) {
      signal.throwIfAborted();
      if (this.#path.get().kind === "http") {
        return { kind: "http" };
      }
      if (this.#refusal !== null) {
        throw this.#refusal;
      }
      const session = this.#options.session();
      if (this.#path.get().kind === "webtransport" && session !== null && session !== tried) {
        return { kind: "webtransport", session, left: this.#leaving.signal };
      }
      if (this.#isResting) {
        this.#isResting = false;
        this.#options.onWanted?.();
        continue;
      }
      await this.changed(signal);
    }
  }

  /** Resolves at the next change of the path, or after a time. Rejects with the signal's reason. */
  changed(signal: AbortSignal, withinMs: number | null = null): Promise<void> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const end = (): void => {
        this.#waiting.delete(end);
        signal.removeEventListener("abort", end);
        cancelTimer();
        signal.aborted ? reject(signal.reason) : resolve();
      };
      const cancelTimer = withinMs === null ? (): void => undefined : this.#options.setTimer(end, withinMs);
      this.#waiting.add(end);
      signal.addEventListener("abort", end);
    });
  }

  /** The next request wakes the session; those that wait already do so at once. */
  #rest(): void {
    this.#endHeadStart();
    this.#isResting = true;
    this.#go({ kind: "connecting", reason: "the session had nothing to do" });
  }

  #onOpening(): void {
    this.#isResting = false;
    this.#refusal = null; // another session is tried since
    if (this.#path.get().kind !== "http") {
      const headStartMs = this.#path.get().kind === "webtransport" ? NEXT_HEAD_START_MS : HEAD_START_MS;
      this.#go({ kind: "connecting", reason: null });
      this.#cancelHeadStart ??= this.#startHeadStart(headStartMs);
    }
  }

  #onSilence(isReachable: boolean): void {
    const reason = "the media server gives no sign of life";
    if (isReachable && !this.#options.isEmulated()) {
      this.#goOverHttp(reason);
    } else if (this.#path.get().kind === "webtransport") {
      // Not left: where the page's server does not answer either HTTP would fare no better, and an emulated outage ends.
      this.#show({ kind: "webtransport", reason });
    }
  }

  /** The server's own word, such as on a token, is no outage of the link. */
  #onLost(error: Error): void {
    const reason = plain(error.message);
    if (error instanceof SessionLost && error.closeCode !== null) {
      this.#goOverHttp(reason);
    } else {
      this.#withoutSession(reason);
    }
  }

  /** Over HTTP where it is allowed, else the next session is waited for. */
  #withoutSession(reason: string): void {
    if (this.#options.isEmulated() && !this.#isPatienceOver) {
      this.#go({ kind: "connecting", reason });
      if (!this.#wasOpen) {
        this.#cancelPatience ??= this.#options.setTimer(() => {
          this.#isPatienceOver = true;
          this.#goOverHttp(`${reason}, and none since`);
        }, FIRST_SESSION_PATIENCE_MS);
      }
    } else {
      this.#goOverHttp(reason);
    }
  }

  #goOverHttp(reason: string): void {
    this.#endHeadStart();
    this.#go({ kind: this.#options.fallback ? "http" : "connecting", reason });
  }

  #endHeadStart(): void {
    this.#cancelHeadStart?.();
    this.#cancelHeadStart = null;
  }

  #startHeadStart(headStartMs: number): () => void {
    return this.#options.setTimer(() => {
      this.#cancelHeadStart = null;
      if (this.#path.get().kind === "connecting") {
        this.#withoutSession(`no session was open within ${headStartMs / 1000} s`);
      }
    }, headStartMs);
  }

  /** Leaves the present session, if there is one, and tells who waits. */
  #go(path: MediaPath): void {
    const { kind } = this.#path.get();
    if (kind === "webtransport" && path.kind !== "webtransport") {
      this.#leaving.abort();
      this.#leaving = new AbortController();
    }
    this.#show(path);
    if (kind === "http" && path.kind === "http") {
      return; // another attempt at a session came to nothing: who waits for the web server to be there waits on
    }
    for (const end of [...this.#waiting]) {
      end();
    }
  }

  #show(path: MediaPath): void {
    const { kind, reason } = this.#path.get();
    if (path.kind !== kind || path.reason !== reason) {
      this.#path.set(path);
    }
  }
}

const plain = (sentence: string): string => sentence.replace(/\.$/, "");
