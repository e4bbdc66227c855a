import type { MediaPlayerClass, Representation } from "dashjs";
import { afterEach, beforeEach, expect, vi } from "vitest";
import type { Need } from "../../../../cc/receiver/receiver-scheme.ts";
import type { RulesContext, SegmentLoader, SwitchRequest } from "../../dash/dashjs-internals.ts";
import type { MediaServerAddress } from "../../options/media-server-address.ts";
import type { NetworkEstimate } from "../../session/network-estimate.ts";
import { packStamps } from "../../session/stamp-record.ts";
import type { WorkerSession, WorkerSessionOptions } from "../../session/worker-session.ts";
import type { NuwaAttachment, NuwaOptions, PreparedNuwa } from "../nuwa-api.ts";
import { prepareSession } from "../prepare-session.ts";

export const SOURCE = "http://localhost:8080/media/manifest.mpd";

const representation = (id: string, bandwidth: number): Representation =>
  ({ id, bandwidth, fragmentDuration: 2 }) as Representation;
export const LOW = representation("a", 0.7e6);
export const HIGH = representation("b", 2.8e6);

interface QualityRule {
  getSwitchRequest(context: RulesContext): SwitchRequest;
}

/** dash.js as an attachment sees it: settings, events, extensions, custom rules, and a collection that asks them. */
export class FakePlayer {
  readonly listeners = new Map<string, Set<(event: object) => void>>();
  readonly extensions = new Map<string, (this: object) => object>();
  rules = new Map<string, () => { create(): QualityRule }>();
  settings = {
    streaming: {
      abandonLoadTimeout: 10_000,
      buffer: { bufferTimeDefault: 18 },
      abr: {
        rules: { throughputRule: { active: true }, bolaRule: { active: true } },
        throughput: { useResourceTimingApi: true, bandwidthSafetyFactor: 0.9 },
      },
    },
  };
  throughput = { getAverageThroughput: () => 3000, getSafeAverageThroughput: () => 2700 };
  source: string | object | null = null;
  isAutoPlaying = true;
  attached: unknown[][] = [];
  video = { currentTime: 0, paused: true };
  #collection: {
    getBestPossibleSwitchRequest(context?: RulesContext): SwitchRequest | undefined;
    setBolaState(): void;
  } | null = null;

  readonly getSettings = (): object => this.settings;
  readonly updateSettings = (settings: object): void => merge(this.settings, settings);
  readonly getBufferLength = (): number => 10;
  readonly duration = (): number => 60;
  readonly time = (): number => 0;
  readonly getCurrentRepresentationForType = (): null => null;
  readonly getRepresentationsByType = (): object[] => [LOW, HIGH];
  readonly getPlaybackRate = (): number => 1;
  readonly isReady = (): boolean => this.source !== null;
  readonly getSource = (): string | object | null => this.source;
  readonly getAutoPlay = (): boolean => this.isAutoPlaying;
  readonly isDynamic = (): boolean => false;
  readonly getLowLatencyModeEnabled = (): boolean => false;
  readonly getVideoElement = (): object => this.video;

  readonly setAutoPlay = (isAutoPlaying: boolean): void => {
    this.isAutoPlaying = isAutoPlaying;
  };
  readonly attachSource = (...parameters: unknown[]): void => {
    this.attached.push([...parameters, this.isAutoPlaying]);
  };
  readonly addABRCustomRule = (_type: string, name: string, rule: () => { create(): QualityRule }): void => {
    this.rules.set(name, rule);
  };
  readonly removeABRCustomRule = (name: string): void => {
    this.rules.delete(name);
  };
  /** As dash.js: the first of a name, for good. */
  readonly extend = (name: string, extension: (this: object) => object): void => {
    if (!this.extensions.has(name)) {
      this.extensions.set(name, extension);
    }
  };
  readonly on = (type: string, listener: (event: object) => void): void => {
    const listeners = this.listeners.get(type) ?? new Set();
    this.listeners.set(type, listeners.add(listener));
  };
  readonly off = (type: string, listener: (event: object) => void): void => {
    this.listeners.get(type)?.delete(listener);
  };

  tell(type: string, event: object): void {
    for (const listener of this.listeners.get(type) ?? []) {
      listener(event);
    }
  }

  /** As a stream's beginning makes it, with the rules of then. */
  beginStream(own: () => SwitchRequest): void {
    const custom = [...this.rules.values()].map((rule) => rule().create());
    const parent = {
      getBestPossibleSwitchRequest: (context?: RulesContext): SwitchRequest | undefined =>
        custom
          .filter((rule) => "getSwitchRequest" in rule)
          .map((rule) => rule.getSwitchRequest(context as RulesContext))
          .find(({ representation: chosen }) => chosen !== null) ?? own(),
      shouldAbandonFragment: () => undefined,
      setBolaState: () => undefined,
    };
    const factory = { getSingletonInstance: () => null };
    const extension = this.extensions.get("ABRRulesCollection");
    this.#collection = { ...parent, ...extension?.call({ parent, factory, context: {} }) };
  }

  /** As AbrController asks before every segment: the rule that won, by the event that follows. */
  decide(): SwitchRequest | undefined {
    const decision = this.#collection?.getBestPossibleSwitchRequest(this.context());
    this.tell("qualityChangeRequested", {
      mediaType: "video",
      oldRepresentation: LOW,
      newRepresentation: decision?.representation ?? null,
      reason: decision?.reason ?? null,
    });
    return decision;
  }

  context(): RulesContext {
    return {
      getThroughputController: () => this.throughput,
      getAbrController: () => ({ getPossibleVoRepresentationsFilteredBySettings: () => [LOW, HIGH] }),
      getCurrentRequest: () => {
        throw new Error("a quality rule asks for no request");
      },
      getMediaInfo: () => ({}),
      getMediaType: () => "video",
      getRepresentation: () => LOW,
    };
  }

  asPlayer(): MediaPlayerClass {
    return this as unknown as MediaPlayerClass;
  }
}

function merge(into: object, from: object): void {
  for (const [name, value] of Object.entries(from)) {
    const present = (into as Record<string, unknown>)[name];
    if (typeof value === "object" && value !== null && typeof present === "object" && present !== null) {
      merge(present, value);
    } else {
      Object.assign(into, { [name]: value });
    }
  }
}

const estimate = {
  atMs: 0,
  bandwidthBitsPerSecond: 20e6,
  deliveredBitsPerSecond: 1e6,
  queueingDelaySeconds: 0.2,
  targetDelaySeconds: 0.04,
  smoothedRttSeconds: 0.05,
} as NetworkEstimate;

/** The newest session's worker measures. */
export function measure(atMs = 0): void {
  stage.opened.at(-1)?.onMeasured?.({ ...estimate, atMs }, packStamps([]));
}

export class FakeXhr {
  open(_method: string, _url: string, _isAsync: boolean): void {}
  send(): void {}
  abort(): void {}
}

/** Of each test. */
interface Stage {
  player: FakePlayer;
  /** What it serves is known for as long as the page is. */
  ownServer: MediaServerAddress;
  opened: WorkerSessionOptions[];
  asked: string[];
  told: Need[];
  attached: NuwaAttachment[];
  loaders: SegmentLoader[];
}

let ports = 50_000;

/** Another media server, with a certificate of its own. */
export function nextServer(): MediaServerAddress {
  ports += 1;
  return { url: `https://127.0.0.1:${ports}`, certificateHashes: [`${ports}`.padEnd(43, "A")] };
}

function emptyStage(): Stage {
  return {
    player: new FakePlayer(),
    ownServer: nextServer(),
    opened: [],
    asked: [],
    told: [],
    attached: [],
    loaders: [],
  };
}

/** Where a test does not care which. */
export const SERVER = nextServer();

export const stage: Stage = emptyStage();

function openFake(options: WorkerSessionOptions): WorkerSession {
  stage.opened.push(options);
  return {
    ready: Promise.resolve(),
    closed: new Promise(() => undefined),
    request: ({ path }) => {
      stage.asked.push(path);
      return new Promise(() => undefined);
    },
    probe: () => undefined,
    tell: (need) => stage.told.push(need),
    close: () => undefined,
  };
}

export function prepareFake(options: Partial<NuwaOptions> = {}): PreparedNuwa {
  return prepareSession({ server: stage.ownServer, ...options }, { open: openFake });
}

export async function attach(options: Partial<NuwaOptions> = {}): Promise<NuwaAttachment> {
  const attachment = prepareFake(options).attach(stage.player.asPlayer());
  stage.attached.push(attachment);
  await vi.waitFor(() => expect(attachment.path().kind).toBe("webtransport"));
  return attachment;
}

/** As dash.js asks its loader; the attachment's end ends it. */
export function loadSegment(url: string): void {
  const loader = stage.player.extensions.get("XHRLoader")?.call({}) as SegmentLoader;
  const request = {
    ...{ url, method: "GET", headers: {} },
    customData: { request: { type: "MediaSegment", traces: [] } },
  };
  loader.load(request as never, {} as never);
  stage.loaders.push(loader);
}

export const ownDecision = (): SwitchRequest => ({
  representation: HIGH,
  reason: { throughput: 3000 },
  rule: "ThroughputRule",
  priority: 0.5,
});

/** A stage for each test of a file, in a page whose browser has WebTransport. */
export function setStage(): void {
  beforeEach(() => {
    Object.assign(stage, emptyStage());
    vi.stubGlobal("WebTransport", class {});
    vi.stubGlobal("addEventListener", vi.fn());
    vi.stubGlobal("document", { addEventListener: vi.fn(), baseURI: "http://localhost:8080/" });
  });

  afterEach(() => {
    for (const loader of stage.loaders) loader.reset();
    for (const attachment of stage.attached) attachment.detach(); // or its session is tried again for ever
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });
}
