import type shaka from "shaka-player";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Need } from "../../../cc/receiver/receiver-scheme.ts";
import type { NuwaCore, SegmentAnswer, SegmentFetchInit } from "../core/nuwa-types.ts";
import type { NetworkEstimate } from "../session/network-estimate.ts";
import { attachShaka } from "./shaka.ts";
import { segmentFilter } from "./shaka-plugin.ts";

const URL_ = "http://localhost/film/seg-0-00001.m4s";
/** Of Shaka's estimate, and of reports to it, by default. */
const LEAST_BYTES = 16_000;
const DEFAULT_BITS_PER_SECOND = 3e6;
const VARIANTS = [0.4e6, 1.2e6, 6e6].map((bandwidth, id) => ({ id, bandwidth, audio: null, video: null }));

let Shaka: typeof shaka;
let takeOff: () => void;
let plugin: shaka.extern.SchemePlugin;
let manager: shaka.extern.AbrManager;
let bitsPerSecond: number | null;
let nuwa: FakeCore;
let player: FakePlayer;
/** How a download goes. */
let come: (init: SegmentFetchInit) => Promise<ArrayBuffer>;
let switchedTo: (number | undefined)[];

beforeAll(async () => {
  const document = { addEventListener: () => undefined, createElement: () => ({}) };
  const location = { protocol: "http:", href: "http://localhost/" };
  const navigator = { userAgent: "", vendor: "", platform: "" };
  for (const name of ["self", "window"]) vi.stubGlobal(name, globalThis);
  for (const [name, value] of Object.entries({ document, location, navigator })) vi.stubGlobal(name, value);
  Shaka = (await import("shaka-player")).default;
  const { registerScheme } = Shaka.net.NetworkingEngine;
  vi.spyOn(Shaka.net.NetworkingEngine, "registerScheme").mockImplementation((scheme, registered, ...more) => {
    plugin = registered;
    registerScheme(scheme, registered, ...more);
  });
});

beforeEach(() => {
  vi.useFakeTimers();
  bitsPerSecond = null;
  switchedTo = [];
  come = () => Promise.resolve(new ArrayBuffer(3));
  player = new FakePlayer();
  nuwa = new FakeCore();
  takeOff = attachShaka(Shaka, player.asPlayer(), nuwa.asCore());
  manager = player.configuration.abrFactory();
  manager.configure(abrConfiguration());
  manager.init(
    (variant) => switchedTo.push(variant.bandwidth),
    () => undefined,
  );
  manager.setVariants(VARIANTS as unknown as shaka.extern.Variant[], false);
  manager.chooseVariant();
  manager.enable();
  switchedTo = [];
});

afterEach(() => {
  takeOff();
  vi.useRealTimers();
});

function abrConfiguration(): shaka.extern.AbrConfiguration {
  return {
    enabled: true,
    defaultBandwidthEstimate: DEFAULT_BITS_PER_SECOND,
    switchInterval: 0,
    minTimeToSwitch: 0,
    bandwidthUpgradeTarget: 0.85,
    bandwidthDowngradeTarget: 0.95,
    cacheLoadThreshold: 5,
    advanced: { minTotalBytes: 128e3, minBytes: LEAST_BYTES, fastHalfLife: 2, slowHalfLife: 5 },
    restrictions: { minBandwidth: 0, maxBandwidth: Number.POSITIVE_INFINITY },
  } as unknown as shaka.extern.AbrConfiguration;
}

const estimateAt = (atMs: number, bandwidthBitsPerSecond: number): NetworkEstimate =>
  ({ atMs, bandwidthBitsPerSecond, deliveredBitsPerSecond: 1e6 }) as NetworkEstimate;

class FakeCore {
  readonly asked: SegmentFetchInit[] = [];
  readonly needs: Need[] = [];
  readonly listeners = new Set<(estimate: NetworkEstimate) => void>();
  readonly onEstimate = (estimate: NetworkEstimate): void => {
    for (const listener of this.listeners) listener(estimate);
  };
  readonly serves = (url: string): boolean => url.startsWith("http://localhost/film/");
  readonly estimate = () => ({ bandwidthBitsPerSecond: bitsPerSecond }) as NetworkEstimate;
  readonly tell = (need: Need): void => {
    this.needs.push(need);
  };

  readonly on = (type: string, listener: (estimate: NetworkEstimate) => void): (() => void) => {
    if (type !== "estimate") return () => undefined;
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly fetch = async (url: string, init: SegmentFetchInit = {}): Promise<SegmentAnswer> => {
    this.asked.push(init);
    return { url, status: 200, headers: {}, body: await come(init), cameBy: "webtransport" };
  };

  asCore(): NuwaCore {
    return this as unknown as NuwaCore;
  }
}

/** A player as an attachment sees it, with Shaka's own networking. */
class FakePlayer {
  readonly network = new Shaka.net.NetworkingEngine();
  readonly abrFactory = () => new Shaka.abr.SimpleAbrManager();
  readonly configuration: {
    abrFactory: () => shaka.extern.AbrManager;
    readonly abr: { enabled: boolean };
    readonly streaming: object;
  } = { abrFactory: this.abrFactory, abr: { enabled: true }, streaming: { bufferingGoal: 10 } };
  loadMode = 2;

  constructor() {
    const configuration = { forceHTTP: false, forceHTTPS: false, minBytesForProgressEvents: LEAST_BYTES };
    this.network.configure(configuration as shaka.extern.NetworkingConfiguration);
  }

  tracks: { readonly bandwidth: number; readonly active: boolean }[] = [];
  readonly getNetworkingEngine = () => this.network;
  readonly getConfiguration = () => this.configuration;
  readonly getLoadMode = () => this.loadMode;
  readonly getMediaElement = () => ({ currentTime: 12 });
  readonly getPlaybackRate = () => 1;
  liveEdgeSeconds: number | null = null;
  readonly isLive = () => this.liveEdgeSeconds !== null;
  readonly seekRange = () => ({ start: 0, end: this.liveEdgeSeconds ?? 100 });
  readonly getVariantTracks = () => this.tracks;
  readonly getBufferedInfo = () => ({
    total: [
      { start: 0, end: 4 },
      { start: 10, end: 15 },
    ],
  });

  readonly configure = (name: "abrFactory", makeManager: () => shaka.extern.AbrManager): void => {
    if (this.loadMode === 0) throw new TypeError("a destroyed player has no configuration");
    this.configuration[name] = makeManager;
  };

  asPlayer(): shaka.Player {
    return this as unknown as shaka.Player;
  }

  /** As its streaming engine does. */
  async fetchSegment(context?: shaka.extern.RequestContext, url = URL_): Promise<void> {
    const { RequestType, makeRequest, defaultRetryParameters } = Shaka.net.NetworkingEngine;
    const request = makeRequest([url], defaultRetryParameters());
    const done = this.network.request(RequestType.SEGMENT, request, context).promise;
    await vi.runAllTimersAsync();
    await done;
  }
}

async function load(
  headers: Readonly<Record<string, string>> = {},
  onProgress: shaka.extern.ProgressUpdated = (ms, bytes) => manager.segmentDownloaded(ms, bytes, true),
): Promise<void> {
  const { RequestType, makeRequest, defaultRetryParameters } = Shaka.net.NetworkingEngine;
  const request = { ...makeRequest([URL_], defaultRetryParameters()), headers };
  const config = { minBytesForProgressEvents: LEAST_BYTES };
  segmentFilter(Shaka, nuwa.asCore(), () => undefined)(RequestType.SEGMENT, request);
  const done = plugin(URL_, request, RequestType.SEGMENT, onProgress, () => undefined, config).promise;
  await vi.runAllTimersAsync();
  await done;
}

/** In steps of so many bytes, so far apart. */
function inSteps(bytes: number, step: { readonly bytes: number; readonly ms: number }, totalBytes = bytes) {
  return async ({ onProgress }: SegmentFetchInit): Promise<ArrayBuffer> => {
    onProgress?.({ loadedBytes: 0, totalBytes: 0 });
    for (let loadedBytes = 0; loadedBytes < bytes; ) {
      await new Promise((resolve) => setTimeout(resolve, step.ms));
      loadedBytes = Math.min(bytes, loadedBytes + step.bytes);
      onProgress?.({ loadedBytes, totalBytes });
    }
    return new ArrayBuffer(bytes);
  };
}

describe("Shaka's own estimate", () => {
  it.each([
    ["over WebTransport", { bytes: 6250, ms: 50 }],
    ["over HTTP, in small pieces", { bytes: 500, ms: 4 }],
  ])("sees a slow link %s", async (_name, step) => {
    come = inSteps(100_000, step);
    await load();
    await load();
    expect(manager.getBandwidthEstimate()).toBeCloseTo(1e6, -3);
    expect(switchedTo.at(-1)).toBe(0.4e6);
  });

  it("sees a fast one", async () => {
    come = inSteps(400_000, { bytes: 16_000, ms: 3 });
    await load();
    expect(manager.getBandwidthEstimate()).toBeCloseTo((8 * 16_000) / 0.003, -6);
  });
});

describe("the receiver's estimate", () => {
  it("is what Shaka goes by, while there is one", async () => {
    come = inSteps(100_000, { bytes: 6250, ms: 50 });
    bitsPerSecond = 8e6;
    await load();
    await load();
    expect([manager.getBandwidthEstimate(), switchedTo.at(-1)]).toEqual([8e6, 6e6]);
    bitsPerSecond = 1.3e6;
    await load();
    expect(switchedTo.at(-1)).toBe(1.2e6);
    bitsPerSecond = null;
    expect(manager.getBandwidthEstimate()).toBeCloseTo(1e6, -3);
  });

  it("is a mean over some downloads: no flicker is taken for the next one's rate", () => {
    for (let tenth = 0; tenth < 100; tenth += 1) {
      bitsPerSecond = tenth % 2 === 0 ? 8e6 : 2e6;
      nuwa.onEstimate(estimateAt(100 * tenth, bitsPerSecond));
    }
    expect(manager.getBandwidthEstimate()).toBeCloseTo(5e6, -6);
  });

  it("is gone by also where segments come as quickly as from a cache", async () => {
    bitsPerSecond = 80e6;
    come = inSteps(40_000, { bytes: 40_000, ms: 2 });
    for (let segment = 0; segment < 4; segment += 1) await load();
    expect(switchedTo.at(-1)).toBe(6e6);
  });
});

describe("a download's progress is told", () => {
  async function reportsOf(totalBytes: number): Promise<number[][]> {
    const reports: number[][] = [];
    come = inSteps(50_000, { bytes: 6250, ms: 50 }, totalBytes);
    await load({}, (...report) => reports.push(report));
    return reports;
  }

  it("in pieces that an estimate takes, and all of it: time, bytes, bytes to come", async () => {
    expect(await reportsOf(50_000)).toEqual([
      [150, 18_750, 31_250],
      [150, 18_750, 12_500],
      [100, 12_500, 0],
    ]);
  });

  it("without bytes to come where their number is unknown", async () => {
    expect((await reportsOf(0)).map(([, , remainingBytes]) => remainingBytes)).toEqual([0, 0, 0]);
  });

  it("anew with another attempt", async () => {
    const reports: number[][] = [];
    come = async (init) => {
      await inSteps(20_000, { bytes: 20_000, ms: 200 }, 40_000)(init);
      return await inSteps(40_000, { bytes: 20_000, ms: 200 })(init);
    };
    await load({}, (...report) => reports.push(report));
    expect(reports).toEqual([
      [200, 20_000, 20_000],
      [200, 20_000, 20_000],
      [200, 20_000, 0],
    ]);
  });
});

describe("a range", () => {
  it.each([
    [{}, undefined],
    [{ Range: "bytes=100-199" }, [100, 199]],
    [{ range: "bytes=100-" }, [100, Number.MAX_SAFE_INTEGER]],
  ])("of %j is the receiver's %j", async (headers, range) => {
    await load(headers);
    expect(nuwa.asked.map((init) => [init.range, init.headers])).toEqual([[range, headers]]);
  });

  it("from the end is left to Shaka's own plugin", async () => {
    const response = { uri: URL_, originalUri: URL_, data: new ArrayBuffer(5), headers: {} };
    const parse = vi
      .spyOn(Shaka.net.HttpFetchPlugin, "parse")
      .mockReturnValue(Shaka.util.AbortableOperation.completed(response));
    await load({ Range: "bytes=-5" });
    expect([nuwa.asked, parse.mock.calls.map(([uri]) => uri)]).toEqual([[], [URL_]]);
  });
});

describe("of two players over one folder", () => {
  it("each fetches by its own core, and by HTTP once it is taken off", async () => {
    const [other, otherCore] = [new FakePlayer(), new FakeCore()];
    const takeOffOther = attachShaka(Shaka, other.asPlayer(), otherCore.asCore());
    await player.fetchSegment();
    await other.fetchSegment();
    expect([nuwa.asked.length, otherCore.asked.length]).toEqual([1, 1]);
    const overHttp = answerOverHttp();
    takeOffOther();
    await other.fetchSegment();
    await player.fetchSegment();
    expect([nuwa.asked.length, otherCore.asked.length, overHttp.mock.calls.length]).toEqual([2, 1, 1]);
  });

  it("each may be of a Shaka of its own", () => {
    const { PluginPriority, RequestType } = Shaka.net.NetworkingEngine;
    const registered = vi.fn();
    const NetworkingEngine = { registerScheme: registered, PluginPriority, RequestType };
    const second = { ...Shaka, net: { ...Shaka.net, NetworkingEngine } } as unknown as typeof shaka;
    for (let count = 0; count < 2; count += 1)
      attachShaka(second, new FakePlayer().asPlayer(), nuwa.asCore());
    expect(registered.mock.calls.map(([scheme]) => scheme)).toEqual(["http", "https"]);
  });
});

function answerOverHttp() {
  const response = { uri: URL_, originalUri: URL_, data: new ArrayBuffer(5), headers: {} };
  return vi
    .spyOn(Shaka.net.HttpFetchPlugin, "parse")
    .mockReset()
    .mockImplementation(() => Shaka.util.AbortableOperation.completed(response));
}

it("warns once of segments that the media server does not serve, which come by Shaka's own plugin", async () => {
  const warned = vi.spyOn(console, "warn").mockReturnValue();
  const overHttp = answerOverHttp();
  for (const name of ["a", "b"]) await player.fetchSegment(undefined, `http://localhost/else/${name}`);
  expect([nuwa.asked.length, overHttp.mock.calls.length]).toEqual([0, 2]);
  expect(warned.mock.calls).toEqual([
    [
      "http://localhost/else/a is fetched over HTTP, since the media server lacks it: it has what is below the core's baseUrl",
    ],
  ]);
  warned.mockRestore();
});

it("asks for initialization segments first, for sound before video, and for what plays soon before what plays later", async () => {
  const segment = (type: string, startSeconds: number) =>
    ({ stream: { type }, segment: { getStartTime: () => startSeconds } }) as shaka.extern.RequestContext;
  const init = { stream: { type: "video" }, segment: null } as unknown as shaka.extern.RequestContext;
  for (const context of [segment("video", 12), segment("video", 8), segment("audio", 12), init]) {
    await player.fetchSegment(context);
  }
  const priorities = nuwa.asked.map(({ priority = 0 }) => priority);
  expect(priorities).toEqual(priorities.toSorted((a, b) => b - a));
  expect(new Set(priorities).size).toBe(4);
});

it("asks with credentials where Shaka is told to", async () => {
  player.network.registerRequestFilter((_type, request) => {
    request.allowCrossSiteCredentials = nuwa.asked.length > 0;
  });
  await player.fetchSegment();
  await player.fetchSegment();
  expect(nuwa.asked.map(({ credentials }) => credentials)).toEqual(["same-origin", "include"]);
});

it("gives the player its own manager of bandwidths back, unless that is destroyed", () => {
  takeOff();
  expect(player.configuration.abrFactory).toBe(player.abrFactory);
  takeOff = attachShaka(Shaka, player.asPlayer(), nuwa.asCore());
  player.loadMode = 0;
  expect(takeOff).not.toThrow();
});

it("tells of a live stream's buffer that it is full at the delay", () => {
  player.tracks = VARIANTS.map(({ bandwidth }) => ({ bandwidth, active: false }));
  nuwa.onEstimate({ atMs: 0 } as NetworkEstimate);
  player.liveEdgeSeconds = 18; // 6 s ahead of the playhead
  nuwa.onEstimate({ atMs: 500 } as NetworkEstimate);
  player.liveEdgeSeconds = 90;
  nuwa.onEstimate({ atMs: 1000 } as NetworkEstimate);
  expect(nuwa.needs.map(({ fullBufferSeconds }) => fullBufferSeconds)).toEqual([10, 6, 10]);
});

it("tells the receiver what the player needs, by the highest variant or the one that is held, until it is taken off", () => {
  nuwa.onEstimate({ atMs: 0 } as NetworkEstimate); // before there is a film
  player.tracks = VARIANTS.map(({ bandwidth }, index) => ({ bandwidth, active: index === 1 }));
  nuwa.onEstimate({ atMs: 500 } as NetworkEstimate);
  player.configuration.abr.enabled = false;
  nuwa.onEstimate({ atMs: 1000 } as NetworkEstimate);
  const buffer = { bufferSeconds: 3, fullBufferSeconds: 10 };
  expect(nuwa.needs).toEqual([6e6, 1.2e6].map((bits) => ({ ...buffer, rateBytesPerSecond: bits / 8 })));
  takeOff();
  expect(nuwa.listeners.size).toBe(0);
});
