import type { MediaPlayerClass, MediaPlayerSettingClass, Representation } from "dashjs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Need } from "../../../cc/receiver/receiver-scheme.ts";
import type { RulesContext, SegmentLoader, SwitchRequest } from "../dash/dashjs-internals.ts";
import type { MediaServerSource } from "../options/media-server-address.ts";
import type { PresetName } from "../options/names.ts";
import type { NetworkEstimate } from "../session/network-estimate.ts";
import { packStamps } from "../session/stamp-record.ts";
import type { WorkerSession, WorkerSessionOptions } from "../session/worker-session.ts";
import { attachNuwa } from "./attach.ts";
import type { EstimatorName, NuwaAttachment, NuwaOptions, PreparedNuwa } from "./nuwa-api.ts";
import { prepareSession } from "./prepare-session.ts";

const SERVER = {
  url: "https://127.0.0.1:4433",
  certificateHashes: ["q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA="],
};
const SOURCE = "http://localhost:8080/media/manifest.mpd";

const representation = (id: string, bandwidth: number): Representation =>
  ({ id, bandwidth, fragmentDuration: 2 }) as Representation;
const LOW = representation("a", 0.7e6);
const HIGH = representation("b", 2.8e6);

interface QualityRule {
  getSwitchRequest(context: RulesContext): SwitchRequest;
}

/** dash.js as an attachment sees it: settings, events, extensions, custom rules, and a collection that asks them. */
class FakePlayer {
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
function measure(atMs = 0): void {
  opened.at(-1)?.onMeasured?.({ ...estimate, atMs }, packStamps([]));
}

class FakeXhr {
  open(_method: string, _url: string, _isAsync: boolean): void {}
  send(): void {}
  abort(): void {}
}

let player: FakePlayer;
/** Of each test: what it serves is known for as long as the page is. */
let ownServer: typeof SERVER;
let ports = 50_000;
let opened: WorkerSessionOptions[];
let asked: string[];
let told: Need[];
let attached: NuwaAttachment[];
let loaders: SegmentLoader[];

function openFake(options: WorkerSessionOptions): WorkerSession {
  opened.push(options);
  return {
    ready: Promise.resolve(),
    closed: new Promise(() => undefined),
    request: ({ path }) => {
      asked.push(path);
      return new Promise(() => undefined);
    },
    probe: () => undefined,
    tell: (need) => told.push(need),
    close: () => undefined,
  };
}

function prepareFake(options: Partial<NuwaOptions> = {}): PreparedNuwa {
  return prepareSession({ server: ownServer, ...options }, { open: openFake });
}

async function attach(options: Partial<NuwaOptions> = {}): Promise<NuwaAttachment> {
  const attachment = prepareFake(options).attach(player.asPlayer());
  attached.push(attachment);
  await vi.waitFor(() => expect(attachment.path().kind).toBe("webtransport"));
  return attachment;
}

/** As dash.js asks its loader; the attachment's end ends it. */
function loadSegment(url: string): void {
  const loader = player.extensions.get("XHRLoader")?.call({}) as SegmentLoader;
  const request = {
    ...{ url, method: "GET", headers: {} },
    customData: { request: { type: "MediaSegment", traces: [] } },
  };
  loader.load(request as never, {} as never);
  loaders.push(loader);
}

const ownDecision = (): SwitchRequest => ({
  representation: HIGH,
  reason: { throughput: 3000 },
  rule: "ThroughputRule",
  priority: 0.5,
});

beforeEach(() => {
  player = new FakePlayer();
  ownServer = { ...SERVER, url: `https://127.0.0.1:${ports++}` };
  opened = [];
  asked = [];
  told = [];
  attached = [];
  loaders = [];
  vi.stubGlobal("WebTransport", class {});
  vi.stubGlobal("addEventListener", vi.fn());
  vi.stubGlobal("document", { addEventListener: vi.fn(), baseURI: "http://localhost:8080/" });
});

afterEach(() => {
  for (const loader of loaders) loader.reset();
  for (const attachment of attached) attachment.detach(); // or its session is tried again for ever
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe("an attachment", () => {
  it("puts loader, settings and rule into the player before its source", async () => {
    await attach();
    expect(new Set(player.extensions.keys())).toEqual(new Set(["ABRRulesCollection", "XHRLoader"]));
    expect([...player.rules.keys()]).toEqual(["NuwaRule", "NuwaRuleAbandon"]);
    expect(player.settings.streaming.abr.throughput.useResourceTimingApi).toBe(false);
    expect(player.settings.streaming.abr.rules.throughputRule.active).toBe(false);
  });

  it("lets rules decide by the receiver's estimate and queue", async () => {
    await attach();
    measure();
    player.beginStream(ownDecision);
    expect(player.decide()?.reason).toMatchObject({
      bandwidthBitsPerSecond: 20e6,
      queueingDelaySeconds: 0.2,
    });
    expect(player.throughput.getAverageThroughput()).toBe(20_000);
    expect(player.throughput.getSafeAverageThroughput()).toBe(18_000);
  });

  it("with dash.js's estimator tells them nothing that the receiver measured", async () => {
    await attach({ estimator: "dashjs" });
    measure();
    player.beginStream(ownDecision);
    expect(player.decide()?.reason).toMatchObject({ bandwidthBitsPerSecond: null, queueingDelaySeconds: 0 });
    expect(player.throughput.getAverageThroughput()).toBe(3000);
  });

  it("goes by dash.js's throughput while segments come over HTTP, when the receiver's is stale", async () => {
    const attachment = await attach();
    measure();
    player.beginStream(ownDecision);
    player.decide();
    opened[0]?.onSilence?.(true);
    await vi.waitFor(() => expect(attachment.path().kind).toBe("http"));
    expect(attachment.estimate()).toBeNull();
    expect(player.throughput.getAverageThroughput()).toBe(3000);
    const request = { type: "MediaSegment", mediaType: "video", representation: LOW, index: 0, traces: [] };
    player.tell("fragmentLoadingCompleted", { request });
    expect(player.decide()?.reason).toMatchObject({ bandwidthBitsPerSecond: 3e6, queueingDelaySeconds: 0 });
  });

  it("says how long nothing came of a segment, of pauses of a second and more", async () => {
    const attachment = await attach({ rule: null });
    player.beginStream(ownDecision);
    const traces = [{ d: 40 }, { d: 1000 }, { d: 999 }, { d: 2500 }];
    const request = { type: "MediaSegment", mediaType: "video", representation: LOW, index: 0, traces };
    player.tell("fragmentLoadingCompleted", { request });
    expect(attachment.records().segments.map(({ silentMs }) => silentMs)).toEqual([3500]);
  });

  it("says which rule decided, and that nobody did at the start or by hand", async () => {
    const attachment = await attach({ rule: null });
    player.beginStream(ownDecision);
    const request = { type: "MediaSegment", mediaType: "video", representation: LOW, index: 0, traces: [] };
    player.tell("fragmentLoadingCompleted", { request });
    player.decide();
    const change = { mediaType: "video", oldRepresentation: HIGH, newRepresentation: LOW, reason: {} };
    player.tell("qualityChangeRequested", change);
    const decidedBy = attachment.records().switches.map((record) => record.decidedBy);
    expect(decidedBy).toEqual(["start", "ThroughputRule", "manual"]);
    expect(attachment.lastSwitch()?.toBitsPerSecond).toBe(0.7e6);
  });

  it("leaves the player's own rules alone when told to", async () => {
    await attach({ rule: null });
    expect(player.rules.size).toBe(0);
    expect(player.settings.streaming.abr.rules.throughputRule.active).toBe(true);
  });

  it("opens a session with other parameters under the same player", async () => {
    const attachment = await attach();
    attachment.change({ scheme: "cubic", preset: { targetDelayMs: 25, rhoMs: 12, k: 3, catchesUp: true } });
    await vi.waitFor(() => expect(opened).toHaveLength(2));
    expect(opened[1]?.parameters).toEqual({
      scheme: "cubic",
      preset: null,
      targetDelayMs: 25,
      rhoMs: 12,
      catchesUp: true,
      followsNeed: false,
      asInPaper: false,
      k: 3,
    });
    expect(player.attached).toEqual([]);
  });

  it("takes undefined for what is not said, and keeps what was chosen", async () => {
    const unsaid = {
      baseUrl: undefined,
      cmcd: undefined,
      fallback: undefined,
      policies: undefined,
      rule: undefined,
    };
    const attachment = await attach({ ...unsaid, scheme: "cubic", preset: undefined });
    attachment.change({ scheme: undefined, preset: "live" });
    await vi.waitFor(() => expect(opened).toHaveLength(2));
    expect(opened[1]?.parameters).toMatchObject({ scheme: "cubic", preset: "live" });
    expect([...player.rules.keys()]).toContain("NuwaRule");
  });

  it.each([
    ["absolute, without the last slash", "http://localhost:8080/film"],
    ["of the page", "/film/"],
  ])("asks the media server for what is below a base URL: %s", async (_name, baseUrl) => {
    await attach({ baseUrl });
    loadSegment("http://localhost:8080/film/a-1.m4s");
    await vi.waitFor(() => expect(asked).toEqual(["a-1.m4s"]));
  });

  it("asks the media server for what is below the directory that the manifest came from, after redirects", async () => {
    player.source = "http://localhost:8080/film.mpd";
    await attach();
    player.tell("manifestLoaded", { data: { url: "http://cdn/film/7/manifest.mpd" } });
    loadSegment("http://cdn/film/7/a-1.m4s");
    await vi.waitFor(() => expect(asked).toEqual(["a-1.m4s"]));
  });

  it("takes a film that plays without a media server for none of a media server's", async () => {
    const play = (film: string) => {
      player.source = `http://localhost:8080/${film}/manifest.mpd`;
      player.tell("manifestLoaded", { data: { url: player.source } });
    };
    attached.push(prepareFake({ server: null }).attach(player.asPlayer()));
    play("without");
    player = new FakePlayer();
    await attach({ server: async () => ownServer });
    play("film");
    loadSegment("http://localhost:8080/film/a-1.m4s");
    await vi.waitFor(() => expect(asked).toEqual(["a-1.m4s"]));
  });

  it.each<[string, (page: string) => MediaServerSource]>([
    ["a document", (page) => `http://localhost:8080/of-one-film.json?${page}`],
    [
      "its path, and a URL object",
      (page) => (page === "first" ? "/path.json" : new URL("/path.json", SOURCE)),
    ],
    ["a list", () => ["/of-a-list.json"]],
    ["a copy of the address", () => ({ ...ownServer })],
    ["a function of each component", () => async () => ownServer],
  ])(
    "asks the media server for nothing of another film, named by %s: segments may have one name",
    async (_name, of) => {
      const warned = vi.spyOn(console, "warn").mockReturnValue();
      vi.stubGlobal("XMLHttpRequest", FakeXhr);
      const play = (film: string) => {
        player.source = `http://localhost:8080/${film}/manifest.mpd`;
        player.tell("manifestLoaded", { data: { url: player.source } });
        loadSegment(`http://localhost:8080/${film}/a-1.m4s`);
      };
      vi.stubGlobal("fetch", async () => new Response(JSON.stringify(SERVER)));
      const first = await attach({ server: of("first") });
      play("film");
      await vi.waitFor(() => expect(asked).toEqual(["a-1.m4s"]));
      play("other");
      first.detach();
      player = new FakePlayer();
      await attach({ server: of("second") });
      play("other");
      const sentence =
        "http://localhost:8080/other/a-1.m4s is fetched over HTTP, since the media server lacks it: it has what is below " +
        "http://localhost:8080/film/, where its first film is, unless baseUrl says another";
      expect(warned.mock.calls).toEqual([[sentence], [sentence]]); // of each player
      play("film");
      await vi.waitFor(() => expect(asked).toEqual(["a-1.m4s", "a-1.m4s"]));
    },
  );

  it("follows the manifest of one film, which redirects may bring from another machine each time", async () => {
    player.source = "http://localhost:8080/film.mpd";
    await attach();
    for (const machine of ["cdn-1", "cdn-2"]) {
      player.tell("manifestLoaded", { data: { url: `http://${machine}/film/manifest.mpd` } });
      loadSegment(`http://${machine}/film/${machine}.m4s`);
    }
    await vi.waitFor(() => expect(asked).toEqual(["cdn-1.m4s", "cdn-2.m4s"]));
  });

  it("asks for baseUrl where a manifest is the page's own, though another film had a URL", async () => {
    player.source = "http://localhost:8080/film.mpd";
    await attach();
    player.tell("manifestLoaded", { data: { url: player.source } });
    player.source = { Period: [] };
    player.tell("manifestLoaded", { data: player.source });
    expect(() => loadSegment("http://localhost:8080/a-1.m4s")).toThrow(/say in baseUrl/);
    expect(asked).toEqual([]);
  });

  it("warns once of segments that lie outside, which come over HTTP", async () => {
    const warned = vi.spyOn(console, "warn").mockReturnValue();
    vi.stubGlobal("XMLHttpRequest", FakeXhr);
    await attach({ baseUrl: "/films/" });
    for (const name of ["a-1.m4s", "a-2.m4s"]) loadSegment(`http://localhost:8080/film/${name}`);
    expect(warned.mock.calls).toEqual([
      [
        "http://localhost:8080/film/a-1.m4s is fetched over HTTP, since the media server lacks it: it has what is below baseUrl http://localhost:8080/films/",
      ],
    ]);
  });

  it("gives a preset's name all of its numbers", async () => {
    const attachment = await attach();
    attachment.change({ preset: "mobile" });
    await vi.waitFor(() => expect(opened).toHaveLength(2));
    expect(opened[1]?.parameters).toMatchObject({ preset: "mobile", targetDelayMs: 120, catchesUp: true });
  });

  it("attaches a source that is there already once more, at the present place", () => {
    player.source = SOURCE;
    player.video = { currentTime: 42, paused: false };
    player.isAutoPlaying = false;
    attachNuwa(player.asPlayer(), { server: null });
    expect(player.attached).toEqual([[SOURCE, 42, true]]);
    expect(player.isAutoPlaying).toBe(false);
  });

  it("goes over HTTP, and says why, where the browser has no WebTransport", () => {
    const { document } = globalThis;
    vi.unstubAllGlobals();
    vi.stubGlobal("document", document);
    const attachment = attachNuwa(player.asPlayer(), { server: SERVER });
    attached.push(attachment);
    expect(attachment.path()).toEqual({
      kind: "http",
      reason: "this browser has no WebTransport, or gives it only to pages over HTTPS",
    });
  });

  it("without a media server takes the rule alone, and leaves dash.js its loader", () => {
    attachNuwa(player.asPlayer(), { server: null });
    expect(player.extensions.has("XHRLoader")).toBe(false);
    expect(player.settings.streaming.abr.throughput.useResourceTimingApi).toBe(true);
    expect([...player.rules.keys()]).toContain("NuwaRule");
  });

  it.each([
    ["a second attachment", { server: SERVER }, /attached to this player already/],
    [
      "an unknown preset",
      { server: SERVER, preset: "fast" as PresetName },
      /no preset fast; choose one of on-demand/,
    ],
    [
      "an unknown estimator",
      { server: SERVER, estimator: "dash.js" as EstimatorName },
      /no estimator dash\.js; choose one of receiver, dashjs\./,
    ],
    ["a URL that is none", { server: SERVER, baseUrl: "http://" }, /^baseUrl is no URL: http:\/\/$/],
    ["an address document's that is none", { server: "http://[bad" }, /^server is no URL: http:\/\/\[bad$/],
    [
      "a collector that is none",
      { server: SERVER, cmcd: { collector: "http://" } },
      /^cmcd.collector is no URL: http:\/\/$/,
    ],
  ] as const)("refuses %s", (name, options, message) => {
    if (name === "a second attachment") {
      attachNuwa(player.asPlayer(), { server: null });
    }
    expect(() => attachNuwa(player.asPlayer(), options)).toThrow(message);
  });
});

it.each([
  [null, "options must be of type object, not null."],
  [{ server: SERVER, baseUrl: null }, "baseUrl must be of type string or URL, not null."],
  [{ server: SERVER, scheme: null }, "scheme must be of type string, not null."],
  [{ server: SERVER, preset: null }, "preset must be of type string or object, not null."],
  [{ server: SERVER, fallback: "false" }, 'fallback must be of type boolean, not "false".'],
  [{ server: SERVER, skipUndecodable: 0 }, "skipUndecodable must be of type boolean, not 0."],
  [{ server: SERVER, createWorker: null }, "createWorker must be of type function, not null."],
  [{ server: SERVER, cmcd: null }, "cmcd must be of type object, not null."],
  [{ server: SERVER, estimator: null }, "estimator must be of type string, not null."],
  [{ server: SERVER, rule: 5 }, "rule must be of type string or null, not 5."],
  [new URL("https://film.example/nuwa.json"), "options must be of type object, not [object URL]."],
  [{}, "server must be of type string or URL or array or object or function or null, not undefined."],
  [
    { server: SERVER, preset: { targetDelayMs: 25, rhoMs: 15, k: 5, catchesUp: "false" } },
    'catchesUp must be of type boolean, not "false".',
  ],
  [
    { server: SERVER, policies: { folder: "/p/" } },
    "policies.runtime must be of type string or URL, not undefined.",
  ],
])("refuses an option of another type, as a page without types may say it: %j", (options, sentence) => {
  expect(() => attachNuwa(player.asPlayer(), options as unknown as NuwaOptions)).toThrow(
    new TypeError(sentence),
  );
});

it("refuses a player that is none of dash.js, and an event that there is not", async () => {
  const noPlayer = undefined as unknown as MediaPlayerClass;
  expect(() => attachNuwa(noPlayer, { server: null })).toThrow(
    /^The player must be one of dash\.js, .* not undefined/,
  );
  const attachment = await attach();
  expect(() => attachment.on("estimat" as "estimate", vi.fn())).toThrow(
    /no event estimat; choose one of path, est/,
  );
  expect(() => attachment.change("kuafu" as never)).toThrow(
    'what change() takes must be of type object, not "kuafu".',
  );
});

it("tells of an option that there is not, which a page without types may misspell", async () => {
  const warned = vi.spyOn(console, "warn").mockReturnValue();
  const attachment = await attach({ baseURL: "/film/", rule: null } as Partial<NuwaOptions>);
  attachment.change({ scheme: "cubic", rule: "bba" } as { scheme: "cubic" });
  expect(warned.mock.calls.map(String)).toEqual([
    "There is no option baseURL here; there are server, scheme, preset, fallback, policies, createWorker, baseUrl, rule, " +
      "estimator, cmcd, skipUndecodable.",
    "There is no option rule here; there are scheme, preset.",
  ]);
});

it("has opened and taken nothing where it refuses its options", async () => {
  expect(() => prepareFake({ baseUrl: "http://" })).toThrow(TypeError);
  expect(opened).toEqual([]);
  expect((await attach()).path().kind).toBe("webtransport");
});

it("leaves failures of decoders to the page where it is told to", async () => {
  await attach({ skipUndecodable: false });
  expect(player.settings).not.toHaveProperty("errors");
  expect(player.listeners.get("playbackError")).toBeUndefined();
});

describe("a prepared session", () => {
  it("is opened anew for a player that comes after another was detached, or after it was closed", async () => {
    const nuwa = prepareFake();
    for (const end of [() => attached.at(-1)?.detach(), () => nuwa.close(), () => undefined]) {
      const attachment = nuwa.attach(player.asPlayer());
      attached.push(attachment);
      await vi.waitFor(() => expect(attachment.session()).toEqual({ kind: "open" }));
      end();
      attachment.detach();
    }
    expect(opened).toHaveLength(3);
  });

  it("refuses a second player while the first has it", () => {
    const nuwa = prepareFake();
    attached.push(nuwa.attach(player.asPlayer()));
    expect(() => nuwa.attach(new FakePlayer().asPlayer())).toThrow(/another player's; detach\(\) that/);
  });
});

describe("a detached attachment", () => {
  it("has put the player's settings, rules and throughput back", async () => {
    const before = structuredClone(player.settings) as MediaPlayerSettingClass;
    const { getAverageThroughput } = player.throughput;
    const attachment = await attach();
    player.beginStream(ownDecision);
    player.decide();
    attachment.detach();
    expect(player.settings).toMatchObject(before);
    expect(player.rules.size).toBe(0);
    expect(player.throughput.getAverageThroughput).toBe(getAverageThroughput);
    expect([...player.listeners.values()].every(({ size }) => size === 0)).toBe(true);
  });

  it("leaves decisions to dash.js, which still asks the rule that it was given", async () => {
    const attachment = await attach();
    measure();
    player.beginStream(ownDecision);
    attachment.detach();
    expect(player.decide()?.rule).toBe("ThroughputRule");
    expect(attachment.records().switches).toEqual([]);
  });

  it("leaves segments to XHR", async () => {
    const attachment = await attach();
    attachment.detach();
    const sent = vi.spyOn(FakeXhr.prototype, "open");
    vi.stubGlobal("XMLHttpRequest", FakeXhr);
    const url = "http://localhost:8080/media/seg.m4s";
    loadSegment(url);
    expect(sent).toHaveBeenCalledWith("GET", url, true);
    expect(attachment.path()).toEqual({ kind: "http", reason: "the library is detached" });
  });

  it("tells nothing any more: to be taken off is no fallback", async () => {
    const told = vi.fn();
    const nuwa = prepareFake();
    const attachment = nuwa.attach(player.asPlayer());
    for (const type of ["path", "session", "estimate", "switch", "segment"] as const) {
      attachment.on(type, told);
    }
    await vi.waitFor(() => expect(attachment.path().kind).toBe("webtransport"));
    told.mockClear();
    attachment.detach();
    nuwa.close();
    measure();
    expect(told).not.toHaveBeenCalled();
  });

  it("no longer tells the receiver what the player needs", async () => {
    player.source = "http://localhost:8080/film/manifest.mpd";
    const attachment = await attach();
    for (const atMs of [0, 100, 449, 450, 950]) measure(atMs);
    const need = { rateBytesPerSecond: HIGH.bandwidth / 8, bufferSeconds: 10, fullBufferSeconds: 18 };
    expect(told).toEqual([need, need, need]);
    attachment.detach();
    measure(2000);
    expect(told).toHaveLength(3);
  });

  it("makes room for another", async () => {
    const first = await attach();
    first.detach();
    first.detach();
    const second = await attach();
    expect(second.path().kind).toBe("webtransport");
    expect(opened).toHaveLength(2);
  });
});
