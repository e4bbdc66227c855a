import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { fetchOverHttp, NobodyAnswered } from "./http-attempt.ts";

const URL_ = "http://localhost/film/seg-1.m4s";

let answer: () => Promise<Response>;

beforeEach(() => {
  vi.useFakeTimers();
  // As the browser's: it rejects, and breaks its body off, with the signal's reason.
  vi.stubGlobal("fetch", (_url: string, { signal }: { signal: AbortSignal }) =>
    Promise.race([answer(), rejectedBy(signal)]),
  );
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function request() {
  const { signal } = new AbortController();
  return { headers: new Headers(), credentials: "omit", signal, onProgress: () => undefined } as const;
}

const rejectedBy = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });

it("leaves a server that does not answer for ten seconds", async () => {
  answer = () => new Promise(() => undefined);
  const fetched = fetchOverHttp(URL_, request());
  const failed = expect(fetched).rejects.toThrow(
    new NobodyAnswered(`${URL_}: nothing came over HTTP for 10 s`),
  );
  await vi.advanceTimersByTimeAsync(10_000);
  await failed;
});

it("takes as long as bytes come", async () => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const body = writable.getWriter();
  answer = async () => new Response(readable);
  const fetched = fetchOverHttp(URL_, request());
  for (let sent = 0; sent < 3; sent += 1) {
    await vi.advanceTimersByTimeAsync(9_000);
    void body.write(new Uint8Array(4));
  }
  void body.close();
  expect((await fetched).body.byteLength).toBe(12);
  expect(vi.getTimerCount()).toBe(0);
});

it("leaves a server that falls silent in the middle", async () => {
  const signalled = vi.fn();
  vi.stubGlobal("fetch", async (_url: string, { signal }: { signal: AbortSignal }) => {
    signal.addEventListener("abort", signalled);
    return new Response(
      new ReadableStream({
        start: (controller) => {
          controller.enqueue(new Uint8Array(4));
          signal.addEventListener("abort", () => controller.error(signal.reason));
        },
      }),
    );
  });
  const fetched = fetchOverHttp(URL_, request());
  const failed = expect(fetched).rejects.toThrow(NobodyAnswered);
  await vi.advanceTimersByTimeAsync(10_000);
  await failed;
  expect(signalled).toHaveBeenCalledOnce();
});
