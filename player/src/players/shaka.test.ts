import type shaka from "shaka-player";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { NuwaCore, SegmentAnswer, SegmentFetchInit } from "../core/nuwa-types.ts";
import type { NetworkEstimate } from "../session/network-estimate.ts";
import { attachShaka } from "./shaka.ts";

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
let asked: SegmentFetchInit[];
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
  vi.spyOn(Shaka.net.NetworkingEngine, "registerScheme").mockImplementation((_scheme, registered) => {
    plugin = registered;
  });
});

beforeEach(() => {
  vi.useFakeTimers();
  bitsPerSecond = null;
  asked = [];
  switchedTo = [];
  come = () => Promise.resolve(new ArrayBuffer(3));
  const nuwa = {
    serves: (url: string) => url.startsWith("http://localhost/film/"),
    estimate: () => ({ bandwidthBitsPerSecond: bitsPerSecond }) as NetworkEstimate,
    fetch: async (url: string, init: SegmentFetchInit = {}) => {
      asked.push(init);
      return { url, status: 200, headers: {}, body: await come(init) } as SegmentAnswer;
    },
  } as NuwaCore;
  const player = {
    configure: (_name: string, makeManager: () => shaka.extern.AbrManager) => {
      manager = makeManager();
    },
  } as unknown as shaka.Player;
  takeOff = attachShaka(Shaka, player, nuwa);
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

async function load(
  headers: Readonly<Record<string, string>> = {},
  onProgress: shaka.extern.ProgressUpdated = (ms, bytes) => manager.segmentDownloaded(ms, bytes, true),
): Promise<void> {
  const { RequestType, makeRequest, defaultRetryParameters } = Shaka.net.NetworkingEngine;
  const request = { ...makeRequest([URL_], defaultRetryParameters()), headers };
  const config = { minBytesForProgressEvents: LEAST_BYTES };
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
    expect(asked.map((init) => [init.range, init.headers])).toEqual([[range, headers]]);
  });

  it("from the end is left to Shaka's own plugin", async () => {
    const response = { uri: URL_, originalUri: URL_, data: new ArrayBuffer(5), headers: {} };
    const parse = vi
      .spyOn(Shaka.net.HttpFetchPlugin, "parse")
      .mockReturnValue(Shaka.util.AbortableOperation.completed(response));
    await load({ Range: "bytes=-5" });
    expect([asked, parse.mock.calls.map(([uri]) => uri)]).toEqual([[], [URL_]]);
  });
});
