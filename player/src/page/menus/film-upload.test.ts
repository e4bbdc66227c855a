import { afterEach, expect, it, vi } from "vitest";
import { addFilm, answerLines, outcome } from "./film-upload.ts";

it("takes whole lines, and one that has no end where it is all", () => {
  expect(answerLines('{"step":"a","ratio":0.5}\n{"step":"b","rat')).toEqual([{ step: "a", ratio: 0.5 }]);
  expect(answerLines('{"error":{"reason":"no"}}')).toEqual([{ error: { reason: "no" } }]);
  expect(answerLines("")).toEqual([]);
});

it("ends with the film's name, or with a sentence", () => {
  expect(outcome({ film: { name: "a" } })).toEqual({ film: "a" });
  expect(outcome({ error: { reason: "the disk is full" } })).toEqual({ sentence: "The disk is full." });
  const reason = "ffmpeg cannot read notes.txt (no film)";
  expect(outcome({ error: { reason } })).toEqual({ sentence: `${reason}.` });
  expect(outcome({ step: "encoding", ratio: 0.5 })).toEqual({
    sentence: "The server ended before the film was packaged.",
  });
  expect(outcome(undefined)).toHaveProperty("sentence");
});

/** An upload of which a test says what happens. */
class SampleRequest {
  static last: SampleRequest;
  readonly upload: { onprogress?: (event: object) => void; onloadend?: () => void } = {};
  readonly abort = vi.fn();
  readonly open = vi.fn();
  readonly setRequestHeader = vi.fn();
  readonly send = vi.fn();
  responseText = "";
  status = 200;
  readonly getResponseHeader = vi.fn(() => "3");
  onload?: () => void;

  constructor() {
    SampleRequest.last = this;
  }
}

/** Never answers. */
const HANGS = Symbol("hangs");

/** @param waits what the server answers, one look after the other, to how long a film has to wait */
async function addSample(waits: (number | null | typeof HANGS)[] = [null]) {
  vi.useFakeTimers();
  vi.stubGlobal("XMLHttpRequest", SampleRequest);
  vi.stubGlobal("fetch", (_path: string, { signal }: { signal: AbortSignal }) => {
    const wait = waits.shift() ?? null;
    if (!signal.aborted && wait !== HANGS) {
      return Promise.resolve(Response.json({ films: [], retryAfterSeconds: wait }));
    }
    return new Promise((_resolve, reject) => {
      signal.aborted ? reject(signal.reason) : signal.addEventListener("abort", () => reject(signal.reason));
    });
  });
  const steps: [string, number | null][] = [];
  const cancelling = new AbortController();
  const onProgress = (step: string, ratio: number | null) => void steps.push([step, ratio]);
  const added = addFilm(new File([], "phone.mp4"), onProgress, cancelling.signal);
  await vi.advanceTimersByTimeAsync(0);
  return { added, steps, cancelling };
}

/** By the fake timers, which do not have it. */
function fakeTimeLimits(): void {
  vi.spyOn(AbortSignal, "timeout").mockImplementation((delayMs) => {
    const limit = new AbortController();
    setTimeout(() => limit.abort(), delayMs);
    return limit.signal;
  });
}

const WAITS = ["another film is being packaged; phone.mp4 follows by itself", null];

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it("ends with a sentence where nothing leaves any more", async () => {
  const { added } = await addSample();
  const request = SampleRequest.last;
  vi.advanceTimersByTime(20_000);
  request.upload.onprogress?.({ loaded: 1, total: 2 });
  vi.advanceTimersByTime(29_999);
  expect(request.abort).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(request.abort).toHaveBeenCalledOnce();
  expect(await added).toEqual({
    sentence: expect.stringContaining("Nothing of phone.mp4 has left for 30 s"),
  });
});

it("waits as long as the server packages", async () => {
  const { added } = await addSample();
  const request = SampleRequest.last;
  request.upload.onloadend?.();
  vi.advanceTimersByTime(600_000);
  request.responseText = '{"film":{"name":"phone"}}\n';
  request.onload?.();
  expect(await added).toEqual({ film: "phone" });
});

it("waits while another film is packaged, and is then sent by itself", async () => {
  const { added, steps } = await addSample([3, 3, null, null]);
  expect(steps).toEqual([WAITS]);
  await vi.advanceTimersByTimeAsync(3000);
  expect(steps).toEqual([WAITS, WAITS]);
  await vi.advanceTimersByTimeAsync(3000);
  const early = SampleRequest.last;
  early.status = 409; // another page was quicker
  early.onload?.();
  await vi.advanceTimersByTimeAsync(2999);
  expect(SampleRequest.last).toBe(early);
  await vi.advanceTimersByTimeAsync(1);
  const { last } = SampleRequest;
  expect(last).not.toBe(early);
  last.responseText = '{"film":{"name":"phone"}}\n';
  last.onload?.();
  expect(await added).toEqual({ film: "phone" });
});

it("waits on where a question is not answered", async () => {
  fakeTimeLimits();
  const { added } = await addSample([3, HANGS, HANGS, null]);
  await vi.advanceTimersByTimeAsync(3000 + 2 * (5000 + 3000));
  const { last } = SampleRequest;
  last.responseText = '{"film":{"name":"phone"}}\n';
  last.onload?.();
  expect(await added).toEqual({ film: "phone" });
});

it.each([
  ["from the beginning", [], 5000],
  ["while a film waits", [3], 90_000],
])("ends with a sentence where the server does not answer %s", async (_when, before, afterMs) => {
  fakeTimeLimits();
  const { added } = await addSample([...before, ...Array<typeof HANGS>(20).fill(HANGS)]);
  await vi.advanceTimersByTimeAsync(afterMs);
  expect(await added).toEqual({ sentence: expect.stringMatching(/^The server does not answer /) });
});

it("gives the wait up on request", async () => {
  const { added, cancelling } = await addSample([3, 3]);
  cancelling.abort();
  expect(await added).toHaveProperty("sentence");
  expect(vi.getTimerCount()).toBe(0);
});
