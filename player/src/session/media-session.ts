import { Listeners } from "../library/listeners.ts";
import type { NuwaEvents, NuwaOptions } from "../library/nuwa-api.ts";
import { askerOf } from "../library/server-source.ts";
import { sessionParametersOf } from "../library/session-choices.ts";
import { BandwidthHistory, type BandwidthOutlook } from "../rules/bandwidth-outlook.ts";
import type { MediaPath } from "./media-path.ts";
import type { NetworkEstimate } from "./network-estimate.ts";
import { watchPageLife } from "./page-life.ts";
import { PathChooser } from "./path-chooser.ts";
import { policyFilesOf } from "./policy/policy-files.ts";
import { SessionKeeper, type SessionState } from "./session-keeper.ts";
import type { StampRecord } from "./stamp-record.ts";
import { openWorkerSession, type WorkerSession, type WorkerSessionOptions } from "./worker-session.ts";

const NO_SERVER = "no media server is given";
const NO_WEBTRANSPORT = "this browser has no WebTransport, or gives it only to pages over HTTPS";

export interface SessionSurroundings {
  /** From the first on, which may come before the session is attached. */
  readonly onPath?: (path: MediaPath) => void;
  readonly onSession?: (state: SessionState) => void;
  /** For tests: what stands in for the receiver. */
  readonly open?: (options: WorkerSessionOptions) => WorkerSession;
}

/** The session with the media server, the way that segments take, and what the receiver measures. */
export class MediaSession {
  readonly chooser: PathChooser;
  readonly events = new Listeners<Pick<NuwaEvents, "path" | "estimate" | "session">>();
  readonly #keeper: SessionKeeper | null;
  readonly #stopWatching: () => void;
  #choices: Pick<NuwaOptions, "scheme" | "preset">;
  #estimate: NetworkEstimate | null = null;
  #history = new BandwidthHistory();
  /** Of the policy, as the log has it already. */
  #toldTrouble: string | null = null;

  constructor(
    options: NuwaOptions,
    { onPath, onSession, open = openerOf(options) }: SessionSurroundings = {},
  ) {
    if (onPath !== undefined) {
      this.events.on("path", onPath);
    }
    if (onSession !== undefined) {
      this.events.on("session", onSession);
    }
    this.#choices = options;
    const parameters = sessionParametersOf(options);
    this.chooser = new PathChooser({
      session: () => this.#keeper?.session() ?? null,
      fallback: options.fallback ?? true,
      isEmulated: () => this.#keeper?.isEmulated ?? false,
      onPath: (path) => this.#onPath(path),
      setTimer,
    });
    const impediment = impedimentOf(options);
    if (impediment !== null || options.server === null) {
      this.#keeper = null;
      this.#stopWatching = () => undefined;
      this.chooser.giveUp(impediment ?? NO_SERVER);
      return;
    }
    const keeper = new SessionKeeper({
      address: askerOf(options.server),
      parameters,
      policyOf: (scheme) => policyFilesOf(options.policies ?? null, scheme, document.baseURI),
      onEstimate: (estimate) => this.#onEstimate(estimate),
      onState: (state) => this.#onState(state),
      setTimer,
      nowMs: () => performance.now(),
      random: Math.random,
      open,
    });
    this.#keeper = keeper;
    this.#stopWatching = watchPageLife({
      onOnlineOrVisible: () => keeper.retrySoon(),
      onHide: () => keeper.suspend(),
      onShow: () => keeper.resume(),
    });
  }

  /** The receiver's newest; null while segments come over HTTP, when it says nothing about their way. */
  estimate(): NetworkEstimate | null {
    return this.chooser.path().kind === "http" ? null : this.#estimate;
  }

  /** What the receiver's estimates say of the seconds ahead; null where they say nothing. */
  outlook(): BandwidthOutlook | null {
    return this.chooser.path().kind === "http" ? null : this.#history.outlook();
  }

  stamps(): StampRecord[] {
    return this.#keeper?.records() ?? [];
  }

  change(choices: Pick<NuwaOptions, "scheme" | "preset">): void {
    const next = { ...this.#choices, ...choices };
    const parameters = sessionParametersOf(next);
    this.#choices = next;
    this.#keeper?.change(parameters);
  }

  reconnect(): void {
    this.#keeper?.reconnect();
  }

  /** Ends the session, and its events: an end is no fallback. Requests that are open are fetched over HTTP. */
  close(reason: string): void {
    this.events.clear();
    this.#stopWatching();
    this.#keeper?.close();
    this.chooser.giveUp(reason);
  }

  #onState(state: SessionState): void {
    this.chooser.onSession(state);
    this.events.tell("session", state);
  }

  #onPath(path: MediaPath): void {
    if (path.kind === "http") {
      this.#estimate = null;
      this.#history = new BandwidthHistory();
    }
    this.events.tell("path", path);
  }

  #onEstimate(estimate: NetworkEstimate): void {
    if (this.chooser.path().kind === "http") {
      return;
    }
    this.#estimate = estimate;
    this.#logTrouble(estimate);
    const { bandwidthBitsPerSecond, deliveredBitsPerSecond } = estimate;
    if (bandwidthBitsPerSecond !== null) {
      this.#history.add(estimate.atMs / 1000, bandwidthBitsPerSecond, deliveredBitsPerSecond > 0);
    }
    this.events.tell("estimate", estimate);
  }

  #logTrouble({ policy }: NetworkEstimate): void {
    const trouble = policy?.trouble ?? null;
    if (trouble !== null && trouble !== this.#toldTrouble) {
      const detail = policy?.detail == null ? "" : ` (${policy.detail})`;
      console.warn(`${policy?.scheme} runs its heuristic: ${trouble}${detail}`);
    }
    this.#toldTrouble = trouble;
  }
}

function openerOf({ createWorker }: NuwaOptions): (options: WorkerSessionOptions) => WorkerSession {
  return createWorker === undefined
    ? openWorkerSession
    : (options) => openWorkerSession({ ...options, createWorker });
}

function impedimentOf({ server }: NuwaOptions): string | null {
  if (server === null) {
    return NO_SERVER;
  }
  return "WebTransport" in globalThis ? null : NO_WEBTRANSPORT;
}

function setTimer(callback: () => void, delayMs: number): () => void {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
}
