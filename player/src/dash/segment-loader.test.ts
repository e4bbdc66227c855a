import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PathChooser } from "../session/path-chooser.ts";
import { RequestFailed } from "../session/session-errors.ts";
import type { FetchRequest, FetchResponse } from "../session/worker-session.ts";
import type {
  CommonMediaRequest,
  CommonMediaResponse,
  FragmentRequest,
  LoaderProgress,
  SegmentLoader,
} from "./dashjs-internals.ts";
import { type SegmentLoaderOptions, segmentLoaderFactory } from "./segment-loader.ts";

interface Pending {
  readonly request: FetchRequest;
  readonly resolve: (response: FetchResponse) => void;
  readonly reject: (reason: unknown) => void;
}

const BASE = "http://localhost:8080/media/";
const START_MS = 1_764_000_000_000;

function fragment(changes: Partial<FragmentRequest> = {}): FragmentRequest {
  return {
    type: "MediaSegment",
    mediaType: "video",
    index: 7,
    startTime: 12,
    duration: 2,
    representation: null,
    range: null,
    bytesLoaded: Number.NaN,
    bytesTotal: Number.NaN,
    firstByteDate: null,
    traces: [],
    ...changes,
  };
}

/** What HTTPLoader hands to a loader, and what it heard back. */
function httpLoaderCall(url = `${BASE}seg-3-00007.m4s`, changes: Partial<FragmentRequest> = {}, timeout = 0) {
  const progress: LoaderProgress[] = [];
  const heard = { onloadend: vi.fn(), onabort: vi.fn(), ontimeout: vi.fn() };
  const request: CommonMediaRequest = {
    url,
    method: "GET",
    responseType: "arraybuffer",
    headers: {},
    credentials: "omit",
    timeout,
    body: null,
    customData: {
      request: fragment(changes),
      ...heard,
      onprogress: (event) => progress.push(event),
    },
  };
  const response: CommonMediaResponse = { url: "", status: 0, statusText: "", headers: {}, data: null };
  return { request, response, progress, heard };
}

function answer(bytes: number, status: 200 | 416 = 200): FetchResponse {
  return {
    head: {
      status,
      lengthBytes: bytes,
      totalBytes: bytes,
      type: "video/mp4",
      reason: status === 200 ? null : "outside the file",
    },
    body: new ArrayBuffer(bytes),
    bodyBytes: bytes,
    endedAtMs: START_MS + 100,
  };
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) {
    await Promise.resolve();
  }
}

let pending: Pending[];
let failures: unknown[];
let outside: string[];
let loader: SegmentLoader;
let chooser: PathChooser;

/** The request that the loader made last. */
function asked(): Pending {
  const newest = pending.at(-1);
  if (newest === undefined) {
    throw new Error("the loader asked for nothing");
  }
  return newest;
}

beforeEach(() => {
  pending = [];
  failures = [];
  outside = [];
  const session = {
    request: (request: FetchRequest) =>
      new Promise<FetchResponse>((resolve, reject) => {
        request.signal?.addEventListener("abort", () => reject(request.signal?.reason));
        pending.push({ request, resolve, reject });
      }),
  };
  chooser = new PathChooser({
    session: () => session,
    fallback: true,
    isEmulated: () => false,
    setTimer: () => () => undefined,
  });
  chooser.onSession({ kind: "open" });
  const options: SegmentLoaderOptions = {
    paths: chooser,
    baseUrl: () => BASE,
    nowMs: () => START_MS,
    servedFilm: () => "film",
    onOutside: (url) => outside.push(url),
    onFailure: (_url, error) => failures.push(error),
  };
  loader = segmentLoaderFactory(() => options)();
});

describe("a segment", () => {
  it("is asked for by its path below the manifest, with range and priority", async () => {
    const { request, response } = httpLoaderCall(`${BASE}a%20b/seg.m4s`, { range: "100-199" });
    loader.load(request, response);
    await settle();
    expect(asked().request).toMatchObject({ path: "a b/seg.m4s", range: [100, 199] });
    expect(asked().request.priority).toBeGreaterThan(0);
  });

  it("ends as dash.js expects of a success", async () => {
    const { request, response, heard } = httpLoaderCall();
    loader.load(request, response);
    await settle();
    asked().resolve(answer(1000));
    await settle();
    expect(heard.onloadend).toHaveBeenCalledOnce();
    expect(response).toMatchObject({
      status: 200,
      url: request.url,
      headers: { "content-length": "1000", "content-type": "video/mp4" },
    });
    expect(response.data).toBeInstanceOf(ArrayBuffer);
  });

  it("reports first an empty progress, then every step with its time since the one before", async () => {
    const { request, response, progress } = httpLoaderCall();
    loader.load(request, response);
    await settle();
    const { onProgress } = asked().request;
    onProgress?.({ loadedBytes: 100, totalBytes: 1000, atMs: START_MS + 40 });
    onProgress?.({ loadedBytes: 600, totalBytes: 1000, atMs: START_MS + 52.5 });
    onProgress?.({ loadedBytes: 1000, totalBytes: 1000, atMs: START_MS + 52.5 });
    expect(progress).toEqual([
      { lengthComputable: true, loaded: 0, total: 1000, noTrace: true },
      { lengthComputable: true, loaded: 100, total: 1000, time: 40 },
      { lengthComputable: true, loaded: 600, total: 1000, time: 12.5 },
      { lengthComputable: true, loaded: 1000, total: 1000, time: 0.001 },
    ]);
  });

  it("leaves a sample that is the network's: bytes after the first over their time", async () => {
    const { request, response, progress } = httpLoaderCall();
    loader.load(request, response);
    await settle();
    const { onProgress } = asked().request;
    // 1 MB arrives at 8 Mbit/s between 40 ms and 1040 ms; the hand-over to the page comes much later and at once.
    onProgress?.({ loadedBytes: 1000, totalBytes: 1_001_000, atMs: START_MS + 40 });
    onProgress?.({ loadedBytes: 1_001_000, totalBytes: 1_001_000, atMs: START_MS + 1040 });
    const traced = progress.filter(({ noTrace }) => noTrace !== true);
    const bytes = (traced.at(-1)?.loaded ?? 0) - (traced[0]?.loaded ?? 0);
    const milliseconds = traced.slice(1).reduce((sum, { time = 0 }) => sum + time, 0);
    expect((8 * bytes) / milliseconds).toBe(8000);
  });

  it("hands on an error status, which dash.js retries", async () => {
    const { request, response, heard } = httpLoaderCall();
    loader.load(request, response);
    await settle();
    asked().resolve(answer(0, 416));
    await settle();
    expect(response).toMatchObject({ status: 416, statusText: "outside the file", data: null });
    expect(heard.onloadend).toHaveBeenCalledOnce();
  });

  it("asks once more when its stream breaks off, then ends with status 0 and says why", async () => {
    const { request, response, heard } = httpLoaderCall();
    loader.load(request, response);
    await settle();
    const error = new RequestFailed("the stream broke off");
    asked().reject(error);
    await settle();
    expect(pending).toHaveLength(2);
    expect(heard.onloadend).not.toHaveBeenCalled();
    asked().reject(error);
    await settle();
    expect(response).toMatchObject({ status: 0, statusText: "the stream broke off" });
    expect(heard.onloadend).toHaveBeenCalledOnce();
    expect(failures).toEqual([error, error]);
  });
});

describe("an abort", () => {
  it("cancels the request and calls onabort, never onloadend", async () => {
    const { request, response, heard } = httpLoaderCall();
    loader.load(request, response);
    await settle();
    // As HTTPLoader.abort does it.
    delete request.customData.onloadend;
    delete request.customData.onprogress;
    request.customData.abort?.();
    await settle();
    expect(asked().request.signal?.aborted).toBe(true);
    expect(heard.onabort).toHaveBeenCalledOnce();
    expect(heard.onloadend).not.toHaveBeenCalled();
    expect(failures).toEqual([]);
  });

  it("of one request leaves the others alone", async () => {
    const first = httpLoaderCall();
    const second = httpLoaderCall(`${BASE}seg-0-00001.m4s`, { mediaType: "audio" });
    loader.load(first.request, first.response);
    loader.load(second.request, second.response);
    await settle();
    first.request.customData.abort?.();
    asked().resolve(answer(10));
    await settle();
    expect(first.heard.onabort).toHaveBeenCalledOnce();
    expect(second.heard.onloadend).toHaveBeenCalledOnce();
  });

  it("after the end does nothing", async () => {
    const { request, response, heard } = httpLoaderCall();
    loader.load(request, response);
    await settle();
    asked().resolve(answer(10));
    await settle();
    loader.reset();
    expect(heard.onabort).not.toHaveBeenCalled();
  });

  it("lets no late progress through", async () => {
    const { request, response, progress } = httpLoaderCall();
    loader.load(request, response);
    await settle();
    loader.abort();
    asked().request.onProgress?.({ loadedBytes: 1, totalBytes: 2, atMs: START_MS });
    expect(progress).toEqual([]);
  });
});

describe("a timeout", () => {
  it("cancels the request and ends as XHR does", async () => {
    vi.useFakeTimers();
    try {
      const { request, response, heard } = httpLoaderCall(undefined, {}, 20_000);
      loader.load(request, response);
      await settle();
      vi.advanceTimersByTime(20_000);
      expect(asked().request.signal?.aborted).toBe(true);
      expect(heard.ontimeout).toHaveBeenCalledOnce();
      expect(heard.onloadend).toHaveBeenCalledOnce();
      expect(response.status).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("what is not a segment", () => {
  const sent: FakeXhr[] = [];

  class FakeXhr {
    url = "";
    onloadend: ((event: object) => void) | null = null;
    open(_method: string, url: string): void {
      this.url = url;
    }
    send(): void {
      sent.push(this);
    }
  }

  beforeEach(() => {
    sent.length = 0;
    vi.stubGlobal("XMLHttpRequest", FakeXhr);
  });

  afterEach(() => vi.unstubAllGlobals());

  it.each([
    ["the manifest", `${BASE}manifest.mpd`, { type: "MPD", startTime: Number.NaN }, false],
    ["a segment of another server", "http://elsewhere/seg.m4s", {}, true],
    ["a segment whose path cannot be decoded", `${BASE}100%.m4s`, {}, true],
  ])("%s goes by XHR", async (_name, url, changes, isOutside) => {
    const { request, response } = httpLoaderCall(url, changes);
    loader.load(request, response);
    await settle();
    expect(sent.map((xhr) => xhr.url)).toEqual([url]);
    expect(pending).toEqual([]);
    expect(outside).toEqual(isOutside ? [url] : []);
  });

  it("goes by XHR where dash.js says no more of it, as of a manifest's callback event", () => {
    const { request, response } = httpLoaderCall("http://localhost:8080/beacon");
    loader.load({ ...request, customData: {} as never }, response);
    expect(sent.map((xhr) => xhr.url)).toEqual([request.url]);
  });

  it("ends with XHR's event, which dash.js reads thumbnails from", () => {
    const { request, response, heard } = httpLoaderCall(`${BASE}thumbnails.mp4`, { type: "none" });
    loader.load(request, response);
    const event = { target: { response: new ArrayBuffer(8) } };
    sent[0]?.onloadend?.(event);
    expect(heard.onloadend).toHaveBeenCalledExactlyOnceWith(event);
  });
});
