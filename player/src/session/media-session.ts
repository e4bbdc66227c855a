import { atom, type ReadableAtom } from "nanostores";
import type { Need } from "../../../cc/receiver/receiver-scheme.ts";
import type { MediaPath } from "./media-path.ts";
import type { NetworkEstimate } from "./network-estimate.ts";
import { watchPageLife } from "./page-life.ts";
import { PathChooser } from "./path-chooser.ts";
import type { PolicyFiles } from "./policy/policy-files.ts";
import { TroubleLog } from "./policy/trouble-log.ts";
import type { AskAddress } from "./server-address.ts";
import { SessionKeeper } from "./session-keeper.ts";
import type { SessionState } from "./session-state.ts";
import type { SessionParameters } from "./session-url.ts";
import { setTimer } from "./set-timer.ts";
import type { StampLog } from "./stamp-record.ts";
import { watch } from "./watch.ts";
import { openWorkerSession, type WorkerSession, type WorkerSessionOptions } from "./worker-session.ts";

const NO_SERVER = "no media server is given";
const NO_WEBTRANSPORT = "this browser has no WebTransport, or gives it only to pages over HTTPS";

export interface MediaSessionOptions {
  /** null where there is no media server: segments come over HTTP. */
  readonly address: AskAddress | null;
  readonly parameters: SessionParameters;
  /** The files of the policy that a scheme would ask; null where none are to be had. */
  readonly policyOf: (scheme: string) => PolicyFiles | null;
  /** Whether segments may come over HTTP while no session is open. */
  readonly fallback: boolean;
  /** Where stamps are kept; null keeps none. */
  readonly stamps: StampLog | null;
  /** Starts the worker's code from elsewhere. */
  readonly createWorker?: (() => Worker) | undefined;
  /** What starts the worker's code for a scheme, where that is not the same for all and none is given. */
  readonly workerOf?: ((scheme: string) => Promise<() => Worker>) | undefined;
  /** For tests: what stands in for the worker's session. */
  readonly open?: ((options: WorkerSessionOptions) => WorkerSession) | undefined;
}

/**
 * The session with the media server and the way that segments take. It makes its stores once, for whoever shows or
 * uses them; `paths` gives each request its way.
 */
export class MediaSession {
  readonly paths: PathChooser;
  readonly path: ReadableAtom<MediaPath>;
  /** null where none will be opened, or none any more. */
  readonly state: ReadableAtom<SessionState | null>;
  /** The newest; null before the first, and over HTTP, when it would be stale. */
  readonly estimate: ReadableAtom<NetworkEstimate | null>;
  readonly #state = atom<SessionState | null>(null);
  readonly #estimate = atom<NetworkEstimate | null>(null);
  readonly #options: MediaSessionOptions;
  readonly #troubles = new TroubleLog();
  readonly #keeper: SessionKeeper | null;
  readonly #stopWatching: () => void;
  #isClosed = false;

  constructor(options: MediaSessionOptions) {
    this.#options = options;
    this.state = this.#state;
    this.estimate = this.#estimate;
    this.paths = new PathChooser({
      session: () => this.#keeper?.session() ?? null,
      onWanted: () => this.#keeper?.want(),
      fallback: options.fallback,
      isEmulated: () => this.#keeper?.isEmulated ?? false,
      setTimer,
    });
    this.path = this.paths.path;
    watch(this.path, ({ kind }) => {
      if (kind === "http") {
        this.#estimate.set(null);
      }
    });
    this.#keeper = this.#keep();
    this.#stopWatching = this.#keeper === null ? () => undefined : watchPageLife(this.#keeper);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Opens a session with other parameters. */
  change(parameters: SessionParameters): void {
    this.#keeper?.change(parameters);
  }

  /** Tells the receiver what the player needs of the network now; over HTTP nobody asks. */
  tell(need: Need): void {
    this.#keeper?.session()?.tell(need);
  }

  /** Opens the session anew: the server's address has changed. */
  reconnect(): void {
    this.#keeper?.reconnect();
  }

  /** Ends the session for good. Requests that are open are fetched over HTTP, whatever the options say of it. */
  close(reason: string): void {
    this.#isClosed = true;
    this.#stopWatching();
    this.#keeper?.close();
    this.#state.set(null);
    this.paths.giveUp(reason);
  }

  #keep(): SessionKeeper | null {
    const { address, parameters } = this.#options;
    if (address === null) {
      this.paths.giveUp(NO_SERVER);
      return null;
    }
    if (!("WebTransport" in globalThis)) {
      this.paths.refuse(new Error(NO_WEBTRANSPORT));
      return null;
    }
    return new SessionKeeper({
      address,
      parameters,
      open: (session) => this.#open(session),
      onState: (state) => {
        this.paths.onSession(state);
        if (!this.#isClosed && isNews(state, this.#state.get())) {
          this.#state.set(state);
        }
      },
      setTimer,
      nowMs: () => performance.now(),
      random: Math.random,
    });
  }

  async #open(session: Omit<WorkerSessionOptions, "policy">): Promise<WorkerSession> {
    const { policyOf, workerOf, stamps, open = openWorkerSession } = this.#options;
    const createWorker = this.#options.createWorker ?? (await workerOf?.(session.parameters.scheme));
    return open({
      ...session,
      policy: policyOf(session.parameters.scheme),
      ...(createWorker === undefined ? {} : { createWorker }),
      onMeasured: (estimate, newStamps) => {
        stamps?.append(newStamps);
        this.#onEstimate(estimate);
      },
    });
  }

  #onEstimate(estimate: NetworkEstimate): void {
    if (this.path.get().kind !== "http") {
      this.#troubles.add(estimate.policy);
      this.#estimate.set(estimate);
    }
  }
}

/** The keeper tells of each question for an address, each with an error of its own, and of each attempt. */
function isNews(state: SessionState, last: SessionState | null): boolean {
  return Object.entries({ ...last, ...state }).some(
    ([name, value]) => String(last?.[name as "kind"]) !== String(value),
  );
}
