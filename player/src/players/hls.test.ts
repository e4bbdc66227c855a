import type { FragmentLoaderContext, HlsConfig, Loader, LoaderConfiguration } from "hls.js";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { NuwaCore, SegmentAnswer, SegmentFetchInit } from "../core/nuwa.ts";
import { nuwaLoader } from "./hls.ts";

const CONTEXT = { url: "http://localhost/film/seg-0-00001.m4s" } as FragmentLoaderContext;
const CONFIGURATION = { loadPolicy: { maxLoadTimeMs: 20_000 } } as LoaderConfiguration;

let loader: Loader<FragmentLoaderContext>;
let asked: { readonly url: string; readonly init: SegmentFetchInit }[];
let settle: (answer: Partial<SegmentAnswer>) => void;
let told: string[];

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  told = [];
  const fetch: NuwaCore["fetch"] = (url, init = {}) =>
    new Promise((resolve, reject) => {
      asked.push({ url, init });
      settle = (answer) => resolve({ url, headers: {}, cameBy: "webtransport", ...answer } as SegmentAnswer);
      init.signal?.addEventListener("abort", () => reject(init.signal?.reason));
    });
  loader = new (nuwaLoader({ fetch } as NuwaCore))({} as HlsConfig);
});

afterEach(() => vi.useRealTimers());

function load(context: Partial<FragmentLoaderContext> = {}): void {
  loader.load({ ...CONTEXT, ...context }, CONFIGURATION, {
    onSuccess: ({ data }, stats) => told.push(`${(data as ArrayBuffer).byteLength} of ${stats.total}`),
    onError: ({ code, text }) => told.push(`${code}: ${text}`),
    onTimeout: () => told.push("time is up"),
    onAbort: () => told.push("aborted"),
  });
}

it("gives hls.js a segment, and counts its bytes", async () => {
  load();
  asked[0]?.init.onProgress?.({ loadedBytes: 2, totalBytes: 3 });
  expect([loader.stats.loaded, loader.stats.total]).toEqual([2, 3]);
  settle({ status: 200, body: new ArrayBuffer(3) });
  await vi.runAllTimersAsync();
  expect(told).toEqual(["3 of 3"]);
  expect(loader.stats.loading.end).toBeGreaterThanOrEqual(loader.stats.loading.first);
});

it("asks for a range, whose end hls.js leaves out", () => {
  load({ rangeStart: 100, rangeEnd: 200 });
  expect(asked[0]?.init.range).toEqual([100, 199]);
});

it("tells of a segment that is not there", async () => {
  load();
  settle({ status: 404, body: new ArrayBuffer(0) });
  await vi.runAllTimersAsync();
  expect(told).toEqual(["404: HTTP status 404"]);
});

it("is over after an abort", async () => {
  load();
  loader.abort();
  await vi.runAllTimersAsync();
  expect([told, asked[0]?.init.signal?.aborted, loader.stats.aborted]).toEqual([["aborted"], true, true]);
});

it("is over after the time that hls.js gives", async () => {
  load();
  await vi.advanceTimersByTimeAsync(20_000);
  expect([told, asked[0]?.init.signal?.aborted]).toEqual([["time is up"], true]);
});
