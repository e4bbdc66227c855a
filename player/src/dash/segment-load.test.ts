import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, it, type Mock, vi } from "vitest";
import { PathChooser } from "../session/path-chooser.ts";
import { RequestFailed, SessionLost } from "../session/session-errors.ts";
import type { FetchRequest, FetchResponse } from "../session/worker-session.ts";
import type { CommonMediaRequest, CommonMediaResponse, LoaderProgress } from "./dashjs-internals.ts";
import { SegmentLoad } from "./segment-load.ts";

/** The browser's, as far as it is used. */
class FakeXhr {
  static readonly HEADERS_RECEIVED = 2;
  static readonly all: FakeXhr[] = [];
  readyState = 0;
  status = 0;
  statusText = "";
  responseURL = "";
  response: ArrayBuffer | null = null;
  isAborted = false;
  timeout = -1;
  onreadystatechange: (() => void) | null = null;
  onload: (() => void) | null = null;
  onprogress: ((event: object) => void) | null = null;
  onloadend: (() => void) | null = null;
  headers: Record<string, string> = {};
  /** Header lines of the answer, beside its length. */
  answered = "";

  open(_method: string, url: string): void {
    this.responseURL = url;
  }

  setRequestHeader(name: string, value: string): void {
    this.headers[name] = value;
  }

  send(): void {
    FakeXhr.all.push(this);
  }

  abort(): void {
    this.isAborted = true;
  }

  getResponseHeader(name: string): string | null {
    return name === "content-length" ? "1000" : null;
  }

  getAllResponseHeaders(): string {
    return `Content-Length: 1000\r\n${this.answered}`;
  }

  head(status = 200): void {
    this.status = status;
    this.readyState = FakeXhr.HEADERS_RECEIVED;
    this.onreadystatechange?.();
  }

  progress(loaded: number): void {
    this.onprogress?.({ loaded, total: 1000, lengthComputable: true });
  }

  end(status: number): void {
    this.status = status;
    this.response = new ArrayBuffer(1000);
    if (status !== 0) {
      this.onload?.();
    }
    this.onloadend?.();
  }
}

interface Pending {
  readonly request: FetchRequest;
  readonly resolve: (response: FetchResponse) => void;
  readonly reject: (reason: unknown) => void;
}

const TIMEOUT_MS = 20_000;
const head = { status: 200, lengthBytes: 1000, totalBytes: 1000, type: "video/mp4", reason: null } as const;
const silent = { kind: "silent", isReachable: true } as const;
const lost = new SessionLost("the session broke off", true);

let pending: Pending[];
let chooser: PathChooser;
let onOutside: Mock<(url: string) => void>;
let isEmulated: boolean;
let progress: LoaderProgress[];
let traces: { d: number; b: number }[];
let heard: { onloadend: () => void; onabort: () => void; ontimeout: () => void };
let request: CommonMediaRequest;
let response: CommonMediaResponse;
let abort: () => void;

/** HTTPLoader's bookkeeping of progress, as far as its throughput sample goes. */
function keepTrace(event: LoaderProgress): void {
  progress.push(event);
  if (event.noTrace !== true) {
    const before = traces.reduce((sum, { b }) => sum + b, 0);
    traces.push({ d: event.time ?? Number.NaN, b: event.loaded === 0 ? 0 : event.loaded - before });
  }
}

/** dash.js's sample of a request by XHR, kbit/s: everything but the first trace. */
function sample(): number {
  const rest = traces.slice(1);
  return (8 * rest.reduce((sum, { b }) => sum + b, 0)) / rest.reduce((sum, { d }) => sum + d, 0);
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 30; turn++) {
    await Promise.resolve();
  }
}

function asked(): Pending {
  const newest = pending.at(-1);
  if (newest === undefined) {
    throw new Error("no session was asked");
  }
  return newest;
}

function xhr(): FakeXhr {
  const newest = FakeXhr.all.at(-1);
  if (newest === undefined) {
    throw new Error("nothing was asked over HTTP");
  }
  return newest;
}

function newSession() {
  return {
    request: (asking: FetchRequest) =>
      new Promise<FetchResponse>((resolve, reject) => {
        pending.push({ request: asking, resolve, reject });
      }),
  };
}

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal("XMLHttpRequest", FakeXhr);
  FakeXhr.all.length = 0;
  pending = [];
  isEmulated = false;
  progress = [];
  traces = [];
  onOutside = vi.fn<(url: string) => void>();
  heard = { onloadend: vi.fn(), onabort: vi.fn(), ontimeout: vi.fn() };
  const session = newSession();
  chooser = new PathChooser({
    session: () => session,
    fallback: true,
    isEmulated: () => isEmulated,
    setTimer: (callback, delayMs) => {
      const timer = setTimeout(callback, delayMs);
      return () => clearTimeout(timer);
    },
  });
  chooser.onSession({ kind: "open" });
  request = {
    url: "http://localhost:8080/media/seg-3-00007.m4s",
    method: "GET",
    responseType: "arraybuffer",
    headers: { Range: "bytes=0-999" },
    credentials: "omit",
    timeout: TIMEOUT_MS,
    body: null,
    customData: {
      request: {
        type: "MediaSegment",
        mediaType: "video",
        index: 7,
        startTime: 12,
        duration: 2,
        representation: null,
        range: "0-999",
        bytesLoaded: Number.NaN,
        bytesTotal: Number.NaN,
        firstByteDate: null,
        traces,
      },
      ...heard,
      onprogress: keepTrace,
    },
  };
  response = { url: "", status: 0, statusText: "", headers: {}, data: null };
  const load = new SegmentLoad(
    { paths: chooser, nowMs: () => Date.now(), onFailure: () => undefined, onOutside },
    () => "seg",
  );
  abort = load.start(request, response, () => undefined);
  await settle();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a segment of which nothing comes", () => {
  it("gives dash.js an occasion to give it up, without a sample or a first byte", async () => {
    await vi.advanceTimersByTimeAsync(1000);
    expect(progress.length).toBeGreaterThanOrEqual(3);
    expect(progress.every(({ noTrace, loaded }) => noTrace === true && loaded === 0)).toBe(true);
    expect(request.customData.request.firstByteDate).toBeNull();
  });

  it("says since when it has been asked for", async () => {
    const askedAtMs = Date.now();
    await vi.advanceTimersByTimeAsync(1000);
    expect(request.customData.request.startDate?.getTime()).toBe(askedAtMs);
  });

  it("after some bytes tells of those again, and is heard of no more when it was given up", async () => {
    asked().request.onProgress?.({ loadedBytes: 400, totalBytes: 1000, atMs: Date.now() });
    const { firstByteDate } = request.customData.request;
    await vi.advanceTimersByTimeAsync(600);
    expect(progress.at(-1)).toMatchObject({ loaded: 400, total: 1000, noTrace: true });
    expect(request.customData.request.firstByteDate).toBe(firstByteDate);
    abort();
    const { length } = progress;
    await vi.advanceTimersByTimeAsync(600);
    expect(progress).toHaveLength(length);
  });
});

describe("a segment of a session that falls silent", () => {
  beforeEach(async () => {
    asked().request.onProgress?.({ loadedBytes: 400, totalBytes: 1000, atMs: Date.now() + 50 });
    asked().request.onProgress?.({ loadedBytes: 500, totalBytes: 1000, atMs: Date.now() + 60 });
    await vi.advanceTimersByTimeAsync(2000);
    chooser.onSession(silent);
    await settle();
  });

  it("is fetched again over HTTP at once, whole, and given up at the session", () => {
    expect(FakeXhr.all).toHaveLength(1);
    expect(xhr()).toMatchObject({ responseURL: request.url, headers: { Range: "bytes=0-999" } });
    expect(asked().request.signal?.aborted).toBe(true);
    expect(heard.onloadend).not.toHaveBeenCalled();
  });

  it("reaches dash.js as one request that went well", async () => {
    xhr().head();
    xhr().end(200);
    await settle();
    expect(heard.onloadend).toHaveBeenCalledOnce();
    expect(response).toMatchObject({ status: 200, url: request.url });
    expect(response.data).toBeInstanceOf(ArrayBuffer);
  });

  it("leaves a throughput sample that is the body's over HTTP alone", async () => {
    await vi.advanceTimersByTimeAsync(300);
    xhr().head();
    await vi.advanceTimersByTimeAsync(10);
    xhr().progress(600);
    await vi.advanceTimersByTimeAsync(10);
    xhr().progress(1000);
    expect(sample()).toBe((8 * 1000) / 20);
  });

  it("gives up no download for the silence: its first byte is that of HTTP", async () => {
    expect(request.customData.request.firstByteDate).toBeNull();
    xhr().head();
    expect(request.customData.request.firstByteDate?.getTime()).toBe(Date.now());
  });

  it("is not given twice when the session answers after all", async () => {
    asked().resolve({ head, body: new ArrayBuffer(1000), bodyBytes: 1000, endedAtMs: Date.now() });
    asked().request.onProgress?.({ loadedBytes: 1000, totalBytes: 1000, atMs: Date.now() });
    await settle();
    expect(heard.onloadend).not.toHaveBeenCalled();
    const before = progress.length;
    xhr().end(200);
    await settle();
    expect(heard.onloadend).toHaveBeenCalledOnce();
    expect(progress).toHaveLength(before);
  });

  it("is aborted where it is being fetched now", async () => {
    abort();
    expect(xhr().isAborted).toBe(true);
    expect(heard.onabort).toHaveBeenCalledOnce();
    xhr().end(0);
    await settle();
    expect(heard.onloadend).not.toHaveBeenCalled();
    expect(FakeXhr.all).toHaveLength(1);
  });

  it("hands on what the web server answers", async () => {
    xhr().end(404);
    await settle();
    expect(response.status).toBe(404);
    expect(heard.onloadend).toHaveBeenCalledOnce();
  });
});

describe("a segment that the media server has not", () => {
  const missing = { status: 404, lengthBytes: 0, totalBytes: null, type: null, reason: "not here" } as const;
  const answerMissing = async (): Promise<void> => {
    asked().resolve({ head: missing, body: null, bodyBytes: 0, endedAtMs: Date.now() });
    await settle();
  };

  it("is asked of the web server, once, and reaches dash.js as it comes from there", async () => {
    await answerMissing();
    expect(FakeXhr.all).toHaveLength(1);
    expect(onOutside.mock.calls).toEqual([[request.url]]);
    expect(heard.onloadend).not.toHaveBeenCalled();
    xhr().head();
    xhr().end(200);
    await settle();
    expect(heard.onloadend).toHaveBeenCalledOnce();
    expect(response).toMatchObject({ status: 200, url: request.url });
    expect(chooser.path.get().kind).toBe("webtransport");
  });

  it.each([404, 0, 502])("is dash.js's to retry where the web server answers %i", async (status) => {
    await answerMissing();
    xhr().end(status);
    await vi.advanceTimersByTimeAsync(10_000);
    expect([FakeXhr.all.length, pending.length, response.status]).toEqual([1, 1, 404]);
    expect(heard.onloadend).toHaveBeenCalledOnce();
  });

  it("is not fetched around an emulated link", async () => {
    isEmulated = true;
    await answerMissing();
    expect([FakeXhr.all.length, response.status]).toEqual([0, 404]);
    expect(onOutside).not.toHaveBeenCalled();
    expect(heard.onloadend).toHaveBeenCalledOnce();
  });
});

describe("a session that lasts", () => {
  it.each([-8, 8])("takes no time by a worker's clock that is %i hours from the page's", async (hours) => {
    await vi.advanceTimersByTimeAsync(700);
    const workersMs = (): number => Date.now() + hours * 3_600_000;
    asked().request.onProgress?.({ loadedBytes: 400, totalBytes: 1000, atMs: workersMs() });
    await vi.advanceTimersByTimeAsync(300);
    asked().request.onProgress?.({ loadedBytes: 1000, totalBytes: 1000, atMs: workersMs() });
    expect(traces.map(({ d }) => d)).toEqual([700, 300]);
  });

  it.each([
    [
      "came",
      (): void => asked().resolve({ head, body: new ArrayBuffer(1000), bodyBytes: 1000, endedAtMs: 0 }),
    ],
    ["failed", (): void => asked().reject(new Error("malformed"))],
  ])("keeps nothing of segments that %s, whose bytes would stay with it", async (_name, settleOne) => {
    const way = await chooser.next(new AbortController().signal);
    if (way.kind !== "webtransport") {
      throw new Error("the session is open");
    }
    expect(getEventListeners(way.left, "abort")).toHaveLength(1);
    settleOne();
    await settle();
    for (let count = 0; count < 9; count++) {
      const load = new SegmentLoad(
        { paths: chooser, nowMs: () => Date.now(), onFailure: () => undefined, onOutside },
        () => "seg",
      );
      load.start(request, response, () => undefined);
      await settle();
      settleOne();
      await settle();
    }
    expect(getEventListeners(way.left, "abort")).toHaveLength(0);
  });
});

describe("a segment of a session that is lost", () => {
  it("goes over HTTP even where its stream broke off before the session was known to be lost", async () => {
    asked().reject(new RequestFailed("the stream broke off"));
    await settle();
    asked().reject(lost);
    await settle();
    expect(heard.onloadend).not.toHaveBeenCalled();
    chooser.onSession({ kind: "lost", error: lost });
    await settle();
    expect(FakeXhr.all).toHaveLength(1);
  });

  it("does not ask a lost session over and over", async () => {
    asked().reject(lost);
    await settle();
    expect(pending).toHaveLength(1);
  });
});

describe("over HTTP, while nobody answers", () => {
  beforeEach(async () => {
    chooser.onSession({ kind: "lost", error: lost });
    await settle();
  });

  it("the request is tried again and dash.js hears of nothing", async () => {
    xhr().end(0);
    await vi.advanceTimersByTimeAsync(500);
    expect(FakeXhr.all).toHaveLength(2);
    xhr().end(0);
    await vi.advanceTimersByTimeAsync(1000);
    expect(FakeXhr.all).toHaveLength(3);
    expect(heard.onloadend).not.toHaveBeenCalled();
  });

  it.each([429, 502, 503, 504])("a proxy that answers %i is nobody, too", async (status) => {
    xhr().head(status);
    xhr().progress(1000);
    xhr().end(status);
    await vi.advanceTimersByTimeAsync(500);
    expect(FakeXhr.all).toHaveLength(2);
    expect(progress.every(({ noTrace, loaded }) => noTrace === true && loaded === 0)).toBe(true);
    expect([response.status, response.data]).toEqual([0, null]);
    expect(heard.onloadend).not.toHaveBeenCalled();
    xhr().head();
    xhr().end(200);
    await settle();
    expect(heard.onloadend).toHaveBeenCalledOnce();
    expect([response.status, response.headers]).toEqual([200, { "content-length": "1000" }]);
  });

  it("a server that says when it can is asked again then", async () => {
    xhr().answered = "Retry-After: 4\r\n";
    xhr().end(503);
    await vi.advanceTimersByTimeAsync(3900);
    expect(FakeXhr.all).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(100);
    expect(FakeXhr.all).toHaveLength(2);
    xhr().end(0);
    await vi.advanceTimersByTimeAsync(1000); // the one before said it, not this one
    expect(FakeXhr.all).toHaveLength(3);
  });

  it("dash.js hears after five minutes what the proxy says", async () => {
    await vi.advanceTimersByTimeAsync(0);
    for (let second = 0; second <= 310; second++) {
      if (FakeXhr.all.at(-1)?.status === 0) {
        xhr().end(502);
      }
      await vi.advanceTimersByTimeAsync(1000);
    }
    expect(heard.onloadend).toHaveBeenCalledOnce();
    expect(response.status).toBe(502);
  });

  it("a request that hangs outlives dash.js's time limit", async () => {
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS + 500);
    expect(FakeXhr.all[0]?.isAborted).toBe(true);
    expect(FakeXhr.all).toHaveLength(2);
    expect(heard.ontimeout).not.toHaveBeenCalled();
  });

  it("the request goes to the next session as soon as it is open", async () => {
    xhr().end(0);
    await settle();
    chooser.onSession({ kind: "open" });
    await settle();
    expect(pending).toHaveLength(2);
    asked().resolve({ head, body: new ArrayBuffer(1000), bodyBytes: 1000, endedAtMs: Date.now() });
    await settle();
    expect(heard.onloadend).toHaveBeenCalledOnce();
    expect(response.status).toBe(200);
  });

  it("dash.js hears of it after five minutes", async () => {
    for (let second = 0; second <= 310; second++) {
      if (FakeXhr.all.at(-1)?.isAborted === false) {
        xhr().end(0);
      }
      await vi.advanceTimersByTimeAsync(1000);
    }
    expect(heard.onloadend).toHaveBeenCalledOnce();
    expect(response.status).toBe(0);
  });

  it("a request that is answered and comes no further is dash.js's to time out", async () => {
    xhr().head();
    xhr().progress(10);
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS);
    expect(heard.ontimeout).toHaveBeenCalledOnce();
    expect(heard.onloadend).toHaveBeenCalledOnce();
    expect(xhr().isAborted).toBe(true);
  });
});

describe("dash.js's time limit", () => {
  it("counts while the session speaks", async () => {
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS);
    expect(heard.ontimeout).toHaveBeenCalledOnce();
  });

  it("counts from the last bytes: a segment that comes slowly is not asked for anew", async () => {
    for (let loadedBytes = 100; loadedBytes < 1000; loadedBytes += 100) {
      await vi.advanceTimersByTimeAsync(0.9 * TIMEOUT_MS);
      asked().request.onProgress?.({ loadedBytes, totalBytes: 1000, atMs: Date.now() });
    }
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS - 1);
    expect(heard.ontimeout).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(heard.ontimeout).toHaveBeenCalledOnce();
  });

  it("does not count while nothing is heard of anybody", async () => {
    chooser.onSession({ kind: "silent", isReachable: false });
    await vi.advanceTimersByTimeAsync(10 * TIMEOUT_MS);
    expect(heard.ontimeout).not.toHaveBeenCalled();
    chooser.onSession({ kind: "open" });
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS);
    expect(heard.ontimeout).toHaveBeenCalledOnce();
  });
});
