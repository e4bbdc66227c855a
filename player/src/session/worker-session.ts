import type { Need } from "../../../cc/receiver/receiver-scheme.ts";
import { createSessionWorker } from "./create-worker.ts";
import { LIVENESS_TICK_MS, LivenessWatch } from "./liveness-watch.ts";
import type { ClosedReason, OpenOptions, ToPage, ToWorker } from "./messages.ts";
import type { NetworkEstimate } from "./network-estimate.ts";
import type { Progress } from "./progress.ts";
import { RefusedSession, RequestFailed, SessionIdle, SessionLost } from "./session-errors.ts";
import type { ByteRange, ResponseHead } from "./wire/request-line.ts";

export interface FetchRequest {
  /** Relative to the served directory, or `generated/N`. */
  readonly path: string;
  readonly range?: ByteRange | undefined;
  /** 0 is sent first (transport/wire_format/PROTOCOL.md). */
  readonly priority?: number | undefined;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** Count the body's bytes only: for measurements larger than memory. */
  readonly discardBody?: boolean;
}

export interface FetchResponse {
  /** 200, 206, 400, 404 or 416. */
  readonly head: ResponseHead;
  /** null where the body was only counted. */
  readonly body: ArrayBuffer | null;
  readonly bodyBytes: number;
  /** When the last byte reached the worker; ms of the epoch. */
  readonly endedAtMs: number;
}

export interface WorkerSessionOptions extends OpenOptions {
  /** About every 100 ms, and before a response: the newest estimate, and new stamps as `packStamps` makes them. */
  readonly onMeasured?: (estimate: NetworkEstimate, stamps: Float64Array) => void;
  /** The server gives no sign of life, or does again. */
  readonly onSilence?: (isSilent: boolean) => void;
  /** The worker's code from elsewhere; for tests, its end of the messages. */
  readonly createWorker?: () => Worker;
}

/** The page's handle on one session, which a worker of its own runs. */
export interface WorkerSession {
  /** Rejects with SessionLost or RefusedSession. */
  readonly ready: Promise<void>;
  /** Resolves when the session ends: null if that was asked for. Never rejects. */
  readonly closed: Promise<RefusedSession | SessionLost | null>;
  /** Rejects with RequestFailed, SessionLost, RefusedSession, or the signal's reason. */
  request(request: FetchRequest): Promise<FetchResponse>;
  /** Tells the receiver what the player needs of the network now. */
  tell(need: Need): void;
  /** Asks the server for a sign of life. */
  probe(): void;
  close(): void;
}

/** A worker that does not end its session within this time when told to is ended itself. */
const CLOSING_MS = 1000;

interface OpenRequest {
  readonly onProgress: ((progress: Progress) => void) | undefined;
  readonly resolve: (response: FetchResponse) => void;
  readonly reject: (reason: unknown) => void;
}

/** Starts the worker and opens a session in it. */
export function openWorkerSession(options: WorkerSessionOptions): WorkerSession {
  return new WorkerSessionHandle(options);
}

interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (reason: unknown) => void;
}

function deferred<T>(): Deferred<T> {
  let settle = {} as Omit<Deferred<T>, "promise">; // a promise calls its executor at once
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { promise, ...settle };
}

class WorkerSessionHandle implements WorkerSession {
  readonly ready: Promise<void>;
  readonly closed: Promise<RefusedSession | SessionLost | null>;
  readonly #worker: Worker;
  readonly #onMeasured: WorkerSessionOptions["onMeasured"];
  readonly #onSilence: WorkerSessionOptions["onSilence"];
  readonly #liveness = new LivenessWatch();
  readonly #ticking: ReturnType<typeof setInterval>;
  readonly #ready = deferred<void>();
  readonly #closed = deferred<RefusedSession | SessionLost | null>();
  readonly #requests = new Map<number, OpenRequest>();
  #nextRequestId = 0;
  #wasOpen = false;
  #isClosing = false;
  #ending: { readonly error: RefusedSession | SessionLost | null } | null = null;

  constructor({ onMeasured, onSilence, createWorker = createSessionWorker, ...open }: WorkerSessionOptions) {
    this.#onMeasured = onMeasured;
    this.#onSilence = onSilence;
    this.ready = this.#ready.promise;
    this.closed = this.#closed.promise;
    this.ready.catch(() => undefined); // whoever does not wait for `ready` learns the same from `closed`
    this.#worker = createWorker();
    this.#worker.addEventListener("message", ({ data }: MessageEvent<ToPage>) => this.#onMessage(data));
    this.#worker.addEventListener("error", (event) => {
      // A worker whose code cannot be had gives an event without a message.
      const why = event.message ?? "its code could not be loaded; does a content security policy forbid it?";
      this.#end(new SessionLost(`the receiver's worker failed: ${why}`, this.#wasOpen));
    });
    this.#ticking = setInterval(() => this.#listenForWorker(), LIVENESS_TICK_MS);
    this.#post({ kind: "open", options: open });
  }

  request({ path, range, priority, signal, onProgress, discardBody = false }: FetchRequest) {
    return new Promise<FetchResponse>((resolve, reject) => {
      signal?.throwIfAborted();
      if (this.#ending !== null) {
        throw this.#ending.error ?? new SessionLost("the session is over", true);
      }
      const id = this.#nextRequestId++;
      const cancel = (): void => this.#post({ kind: "cancel", id });
      signal?.addEventListener("abort", cancel);
      const settled = (): void => signal?.removeEventListener("abort", cancel);
      this.#requests.set(id, {
        onProgress,
        resolve: (response) => {
          settled();
          resolve(response);
        },
        reject: (reason) => {
          settled();
          reject(signal?.aborted ? signal.reason : reason);
        },
      });
      this.#post({ kind: "request", id, request: { path, range, priority }, discardBody });
    });
  }

  tell(need: Need): void {
    this.#post({ kind: "need", need });
  }

  probe(): void {
    this.#post({ kind: "probe" });
  }

  close(): void {
    if (this.#ending === null) {
      this.#isClosing = true;
      this.#post({ kind: "close" });
      setTimeout(() => this.#end(null), CLOSING_MS);
    }
  }

  #listenForWorker(): void {
    if (this.#liveness.tick(performance.now())) {
      this.#end(new SessionLost("the receiver's worker does not answer", this.#wasOpen));
    }
  }

  #onMessage(message: ToPage): void {
    this.#liveness.heard(performance.now());
    switch (message.kind) {
      case "alive":
        break;
      case "busy":
        this.#liveness.expectSilence(performance.now() + message.forMs);
        break;
      case "silence":
        this.#onSilence?.(message.isSilent);
        break;
      case "ready":
        this.#wasOpen = true;
        this.#ready.resolve();
        break;
      case "progress":
        this.#requests.get(message.id)?.onProgress?.(message);
        break;
      case "done":
        this.#take(message.id)?.resolve(message);
        break;
      case "failed":
        this.#take(message.id)?.reject(this.#ending?.error ?? new RequestFailed(message.reason));
        break;
      case "measured":
        if (!this.#isClosing) {
          this.#onMeasured?.(message.estimate, message.stamps); // one that is being left says nothing of the next
        }
        break;
      case "closed":
        this.#end(toError(message.why));
        break;
    }
  }

  #take(id: number): OpenRequest | undefined {
    const request = this.#requests.get(id);
    this.#requests.delete(id);
    return request;
  }

  #end(error: RefusedSession | SessionLost | null): void {
    if (this.#ending !== null) {
      return;
    }
    this.#ending = { error };
    clearInterval(this.#ticking);
    const reason = error ?? new SessionLost("the session was closed", true);
    this.#ready.reject(reason);
    for (const id of [...this.#requests.keys()]) {
      this.#take(id)?.reject(reason);
    }
    this.#closed.resolve(error);
    this.#worker.terminate();
  }

  #post(message: ToWorker): void {
    if (this.#ending === null) {
      this.#worker.postMessage(message);
    }
  }
}

function toError(why: ClosedReason): RefusedSession | SessionLost | null {
  switch (why.kind) {
    case "over":
      return null;
    case "idle":
      return new SessionIdle(why.reason);
    case "refused":
      return new RefusedSession(why.closeCode, why.reason);
    case "lost":
      return new SessionLost(why.reason, why.wasOpen, why.closeCode);
  }
}
