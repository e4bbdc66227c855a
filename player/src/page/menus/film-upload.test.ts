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
  onload?: () => void;

  constructor() {
    SampleRequest.last = this;
  }
}

function addSample() {
  vi.useFakeTimers();
  vi.stubGlobal("XMLHttpRequest", SampleRequest);
  const added = addFilm(new File([], "phone.mp4"), () => undefined, new AbortController().signal);
  return { added, request: SampleRequest.last };
}

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("ends with a sentence where nothing leaves any more", async () => {
  const { added, request } = addSample();
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
  const { added, request } = addSample();
  request.upload.onloadend?.();
  vi.advanceTimersByTime(600_000);
  request.responseText = '{"film":{"name":"phone"}}\n';
  request.onload?.();
  expect(await added).toEqual({ film: "phone" });
});
