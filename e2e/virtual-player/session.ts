/** The worker's session as the simulated network answers it: requests go out as numbers, bytes come back as counts. */

import type { Need } from "../../cc/receiver/receiver-scheme.ts";
import type { NetworkEstimate } from "../../player/src/session/network-estimate.ts";
import type {
  FetchRequest,
  FetchResponse,
  WorkerSession,
  WorkerSessionOptions,
} from "../../player/src/session/worker-session.ts";
import type { Film } from "./film.ts";
import { segmentBytes } from "./media-source.ts";

/** What the player wants of the network since it was asked last. */
export interface Wishes {
  readonly requests: readonly { readonly id: number; readonly bytes: number; readonly atMs: number }[];
  readonly cancels: readonly { readonly id: number; readonly atMs: number }[];
  /** The newest need; null where none was told. */
  readonly need: Need | null;
}

/** How far a request has come. */
export interface Arrival {
  readonly id: number;
  readonly loadedBytes: number;
  /** When the last of these arrived; ms of the clock. */
  readonly atMs: number;
}

interface OpenRequest {
  readonly request: FetchRequest;
  readonly path: string;
  readonly bytes: number;
  readonly resolve: (response: FetchResponse) => void;
}

export class VirtualSession implements WorkerSession {
  readonly ready: Promise<void>;
  readonly closed = new Promise<null>(() => undefined);
  readonly #film: Film;
  readonly #options: WorkerSessionOptions;
  readonly #open = new Map<number, OpenRequest>();
  #nextId = 1;
  #requests: { id: number; bytes: number; atMs: number }[] = [];
  #need: Need | null = null;
  #cancels: { id: number; atMs: number }[] = [];

  /** Opens after `handshakeMs`. */
  constructor(film: Film, options: WorkerSessionOptions, handshakeMs: number) {
    this.#film = film;
    this.#options = options;
    this.ready = new Promise((resolve) => setTimeout(resolve, handshakeMs));
  }

  get hasWishes(): boolean {
    return this.#requests.length + this.#cancels.length > 0;
  }

  request(request: FetchRequest): Promise<FetchResponse> {
    const { path, signal } = request;
    const file = this.#film.files.get(path);
    if (file === undefined) throw new Error(`the film has no file ${path}`);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#open.set(id, { request, path, bytes: file.bytes, resolve });
      this.#requests.push({ id, bytes: file.bytes, atMs: performance.now() });
      signal?.addEventListener("abort", () => {
        if (!this.#open.delete(id)) return;
        this.#cancels.push({ id, atMs: performance.now() });
        reject(signal.reason);
      });
    });
  }

  tell(need: Need): void {
    this.#need = need;
  }

  probe(): void {}

  close(): void {}

  takeWishes(): Wishes {
    const wishes = { requests: this.#requests, cancels: this.#cancels, need: this.#need };
    this.#requests = [];
    this.#cancels = [];
    this.#need = null;
    return wishes;
  }

  onArrival({ id, loadedBytes, atMs }: Arrival): void {
    const open = this.#open.get(id);
    if (open === undefined) return; // it was cancelled while the bytes were on their way
    const { request, path, bytes, resolve } = open;
    request.onProgress?.({ loadedBytes, totalBytes: bytes, atMs: performance.timeOrigin + atMs });
    if (loadedBytes < bytes) return;
    this.#open.delete(id);
    const { startSeconds, endSeconds } = this.#film.files.get(path) ?? { startSeconds: 0, endSeconds: 0 };
    resolve({
      head: { status: 200, lengthBytes: bytes, totalBytes: bytes, type: null, reason: null },
      body: segmentBytes(startSeconds, endSeconds),
      bodyBytes: bytes,
      endedAtMs: performance.timeOrigin + atMs,
    });
  }

  onEstimate(estimate: NetworkEstimate): void {
    this.#options.onMeasured?.(estimate, new Float64Array());
  }
}
