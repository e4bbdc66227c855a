import type Hls from "hls.js";
import type { AbrController, FragmentLoaderContext, HlsConfig, Loader, LoaderConfiguration } from "hls.js";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Need } from "../../../cc/receiver/receiver-scheme.ts";
import type { NuwaCore, SegmentAnswer, SegmentFetchInit } from "../core/nuwa-types.ts";
import type { NetworkEstimate } from "../session/network-estimate.ts";
import { nuwaAbr, nuwaLoader } from "./hls.ts";

const CONTEXT = {
  url: "http://localhost/film/seg-0-00001.m4s",
  headers: {},
  frag: { type: "main", sn: 1, start: 12 },
} as FragmentLoaderContext;
const CONFIGURATION = { loadPolicy: { maxLoadTimeMs: 20_000 } } as LoaderConfiguration;

let loader: Loader<FragmentLoaderContext>;
let asked: { readonly url: string; readonly init: SegmentFetchInit }[];
let settle: (answer: Partial<SegmentAnswer>) => void;
let told: string[];
let config: Partial<HlsConfig>;

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  told = [];
  const fetch: NuwaCore["fetch"] = (url, init = {}) =>
    new Promise((resolve, reject) => {
      const href = String(url);
      asked.push({ url: href, init });
      settle = (answer) =>
        resolve({ url: href, headers: {}, cameBy: "webtransport", ...answer } as SegmentAnswer);
      init.signal?.addEventListener("abort", () => reject(init.signal?.reason));
    });
  config = {};
  loader = new (nuwaLoader({ fetch } as NuwaCore))(config as HlsConfig);
});

afterEach(() => vi.useRealTimers());

async function load(context: Partial<FragmentLoaderContext> = {}): Promise<void> {
  loader.load({ ...CONTEXT, ...context }, CONFIGURATION, {
    onProgress: ({ loaded }, _context, data) => {
      told.push(`${(data as ArrayBuffer).byteLength} appended, ${loaded} loaded`);
    },
    onSuccess: ({ data }, stats) => told.push(`${(data as ArrayBuffer).byteLength} of ${stats.total}`),
    onError: ({ code, text }) => told.push(`${code}: ${text}`),
    onTimeout: () => told.push("time is up"),
    onAbort: () => told.push("aborted"),
  });
  await vi.advanceTimersByTimeAsync(0);
}

it("gives hls.js a segment, and counts its bytes", async () => {
  await load();
  asked[0]?.init.onProgress?.({ loadedBytes: 2, totalBytes: 3 });
  expect([loader.stats.loaded, loader.stats.total]).toEqual([2, 3]);
  settle({ status: 200, body: new ArrayBuffer(3) });
  await vi.runAllTimersAsync();
  expect(told).toEqual(["3 appended, 3 loaded", "3 of 3"]); // a progressive hls.js appends the first alone
  expect(loader.stats.loading.end).toBeGreaterThanOrEqual(loader.stats.loading.first);
});

it("asks for a range, whose end hls.js leaves out", async () => {
  await load({ rangeStart: 100, rangeEnd: 200 });
  expect(asked[0]?.init.range).toEqual([100, 199]);
});

describe("over HTTP it is asked for", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("as the page's fetchSetup makes it", async () => {
    config.fetchSetup = async ({ url }, init) => {
      const headers = { ...Object.fromEntries(init.headers), authorization: "token" };
      return new Request(`${url}?signed`, { ...init, headers, credentials: "include" });
    };
    await load({ headers: { "x-player": "hls.js" } });
    expect(asked).toMatchObject([
      {
        url: `${CONTEXT.url}?signed`,
        init: { headers: { authorization: "token", "x-player": "hls.js" }, credentials: "include" },
      },
    ]);
  });

  it.each([
    ["sets headers", () => undefined, CONTEXT.url],
    ["opens it itself", (xhr: XMLHttpRequest) => xhr.open("GET", "/signed"), "/signed"],
  ])("as the page's xhrSetup makes it, which %s", async (_name, begin, url) => {
    const sent = vi.fn();
    class FakeXhr {
      withCredentials = false;
      open(): void {}
      setRequestHeader(): void {}
      send = sent;
    }
    vi.stubGlobal("XMLHttpRequest", FakeXhr);
    config.xhrSetup = async (xhr) => {
      begin(xhr);
      xhr.withCredentials = true;
      for (const word of ["t", "u"]) xhr.setRequestHeader("X-Token", word);
    };
    await load({ headers: { "x-player": "hls.js", "x-token": "v" } });
    const headers = { "x-player": "hls.js", "x-token": "t, u, v" };
    expect(asked).toMatchObject([{ url, init: { headers, credentials: "include" } }]);
    expect(sent).not.toHaveBeenCalled();
  });

  it("not at all where the page's setup fails, which hls.js hears", async () => {
    config.fetchSetup = () => Promise.reject(new Error("no token"));
    await load();
    expect([asked, told]).toEqual([[], ["0: no token"]]);
  });
});

it("asks for initialization segments first, for sound before video, and for what plays soon before what plays later", async () => {
  const segments = [
    { type: "main", sn: 3, start: 12 },
    { type: "main", sn: 2, start: 8 },
    { type: "audio", sn: 3, start: 12 },
    { type: "main", sn: "initSegment", start: 0 },
  ];
  for (const frag of segments) await load({ frag: frag as FragmentLoaderContext["frag"] });
  const priorities = asked.map(({ init }) => init.priority ?? 0);
  expect(priorities).toEqual(priorities.toSorted((a, b) => b - a));
  expect(new Set(priorities).size).toBe(segments.length);
});

it("tells of a segment that is not there", async () => {
  await load();
  settle({ status: 404, body: new ArrayBuffer(0) });
  await vi.runAllTimersAsync();
  expect(told).toEqual(["404: HTTP status 404"]);
});

it("is over after an abort", async () => {
  await load();
  loader.abort();
  await vi.runAllTimersAsync();
  expect([told, asked[0]?.init.signal?.aborted, loader.stats.aborted]).toEqual([["aborted"], true, true]);
});

it("is over after the time that hls.js gives", async () => {
  await load();
  await vi.advanceTimersByTimeAsync(20_000);
  expect([told, asked[0]?.init.signal?.aborted]).toEqual([["time is up"], true]);
});

describe("hls.js's choice of level", () => {
  const LEVELS = [0.4e6, 1.2e6, 6e6].map((bitrate) => ({
    ...{ bitrate, maxBitrate: bitrate, averageBitrate: bitrate, details: {} },
    ...{ codecSet: "avc1", videoRange: "SDR", frameRate: 25, loadError: 0, fragmentError: 0 },
  }));
  const OWN_BITS_PER_SECOND = 40e6;
  const LOGGED = ["trace", "debug", "log", "warn", "info", "error"];

  let HlsClass: typeof Hls;
  let hls: EventfulHls;
  let abr: AbrController;
  let bitsPerSecond: number | null;
  let needs: Need[];
  let listeners: Set<(estimate: NetworkEstimate) => void>;

  /** What an AbrController sees of hls.js. */
  class EventfulHls {
    readonly config = { ...HlsClass.DefaultConfig, useMediaCapabilities: false };
    readonly logger = Object.fromEntries(LOGGED.map((level) => [level, vi.fn()]));
    readonly levels = LEVELS;
    readonly allAudioTracks = [];
    readonly loadLevel = 0;
    readonly firstLevel = 0;
    readonly minAutoLevel = 0;
    readonly maxAutoLevel = LEVELS.length - 1;
    media: { readonly playbackRate: number } | null = null;
    autoLevelEnabled = true;
    readonly maxBufferLength = 30;
    readonly mainForwardBufferInfo = { len: 12 };
    latestLevelDetails = { live: false };
    targetLatency = 6;
    latency = 5;
    readonly #listeners = new Map<string, (type: string, event: object) => void>();

    off(type: string): void {
      this.#listeners.delete(type);
    }

    on(type: string, listener: (type: string, event: object) => void, context: object): void {
      this.#listeners.set(type, listener.bind(context));
    }

    tell(type: string, event: object): void {
      this.#listeners.get(type)?.(type, event);
    }
  }

  beforeAll(async () => {
    vi.stubGlobal("self", globalThis);
    vi.stubGlobal("navigator", { userAgent: "" });
    HlsClass = (await import("hls.js")).default;
  });

  beforeEach(() => {
    bitsPerSecond = null;
    hls = new EventfulHls();
    needs = [];
    listeners = new Set();
    const nuwa: Partial<NuwaCore> = {
      estimate: () => ({ bandwidthBitsPerSecond: bitsPerSecond }) as NetworkEstimate,
      tell: (need) => needs.push(need),
      on: (type, listener) => {
        if (type !== "estimate") return () => undefined;
        listeners.add(listener as (estimate: NetworkEstimate) => void);
        return () => listeners.delete(listener as (estimate: NetworkEstimate) => void);
      },
    };
    abr = new (nuwaAbr(HlsClass, nuwa as NuwaCore))(hls as unknown as Hls);
  });

  function estimated(estimate: NetworkEstimate): void {
    for (const listener of listeners) listener(estimate);
  }

  /** A segment of a second, as fast as OWN_BITS_PER_SECOND. */
  function bufferSegment(): void {
    const loading = { start: 0, first: 100, end: 1100 };
    const stats = { loading, parsing: { end: 1100 }, loaded: OWN_BITS_PER_SECOND / 8, aborted: false };
    const event = { frag: { type: "main", sn: 1, level: 0, bitrate: 1e6, duration: 4, stats }, part: null };
    hls.tell(HlsClass.Events.FRAG_LOADED, event);
    hls.tell(HlsClass.Events.FRAG_BUFFERED, event);
  }

  it("goes by the receiver's estimate, not by the last segment's time", () => {
    bitsPerSecond = 2e6;
    bufferSegment();
    expect(abr.nextAutoLevel).toBe(1);
    bitsPerSecond = 20e6;
    expect(abr.nextAutoLevel).toBe(2);
    bitsPerSecond = 0.6e6;
    expect(abr.nextAutoLevel).toBe(0);
  });

  it("goes by a mean over some downloads: no flicker is taken for the next one's rate", () => {
    for (let tenth = 0; tenth < 100; tenth++) {
      bitsPerSecond = tenth % 2 === 0 ? 8e6 : 2e6;
      const estimate = {
        atMs: 100 * tenth,
        bandwidthBitsPerSecond: bitsPerSecond,
        deliveredBitsPerSecond: 1e6,
      };
      estimated(estimate as NetworkEstimate);
    }
    expect(abr.bwEstimator.getEstimate()).toBeCloseTo(5e6, -6);
  });

  it("goes by hls.js's own average while there is none, as over HTTP", () => {
    bitsPerSecond = 0.6e6;
    bufferSegment();
    expect(abr.nextAutoLevel).toBe(0);
    bitsPerSecond = null;
    expect(abr.bwEstimator.getEstimate()).toBeCloseTo(OWN_BITS_PER_SECOND, -6);
    expect(abr.nextAutoLevel).toBe(2);
  });

  it("goes by the receiver's estimate from the first segment on, and after hls.js began its average anew", () => {
    expect(abr.bwEstimator.canEstimate()).toBe(false);
    bitsPerSecond = 2e6;
    expect([abr.bwEstimator.canEstimate(), abr.bwEstimator.getEstimate()]).toEqual([true, 2e6]);
    abr.resetEstimator(5e6);
    expect([abr.bwEstimator.canEstimate(), abr.bwEstimator.getEstimate()]).toEqual([true, 2e6]);
    bitsPerSecond = null;
    expect([abr.bwEstimator.canEstimate(), abr.bwEstimator.getEstimate()]).toEqual([false, 5e6]);
  });

  it("tells of a live stream's buffer that it is full at the delay", () => {
    hls.media = { playbackRate: 1 };
    estimated({ atMs: 0 } as NetworkEstimate);
    hls.latestLevelDetails = { live: true };
    estimated({ atMs: 500 } as NetworkEstimate);
    hls.latency = 14; // a viewer who went back
    estimated({ atMs: 1000 } as NetworkEstimate);
    hls.latency = 90;
    estimated({ atMs: 1500 } as NetworkEstimate);
    expect(needs.map(({ fullBufferSeconds }) => fullBufferSeconds)).toEqual([30, 6, 14, 30]);
  });

  it("tells the receiver what the player needs, by the highest level or the one that is held, until it is destroyed", () => {
    estimated({ atMs: 0 } as NetworkEstimate); // before there is a film
    hls.media = { playbackRate: 2 };
    estimated({ atMs: 500 } as NetworkEstimate);
    hls.autoLevelEnabled = false;
    estimated({ atMs: 1000 } as NetworkEstimate);
    const buffer = { bufferSeconds: 12, fullBufferSeconds: 30 };
    const told = [6e6, 0.4e6].map((bitrate) => ({ ...buffer, rateBytesPerSecond: (2 * bitrate) / 8 }));
    expect(needs).toEqual(told);
    abr.destroy();
    estimated({ atMs: 1500 } as NetworkEstimate);
    expect(needs).toEqual(told);
  });
});
