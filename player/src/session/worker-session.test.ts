import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ToPage, ToWorker } from "./messages.ts";
import type { NetworkEstimate } from "./network-estimate.ts";
import { RefusedSession, RequestFailed, SessionIdle, SessionLost } from "./session-errors.ts";
import { parameters } from "./testing/sample-parameters.ts";
import { openWorkerSession, type WorkerSession } from "./worker-session.ts";

/** The worker's end of the messages. */
class FakeWorker extends EventTarget {
  readonly received: ToWorker[] = [];
  isTerminated = false;

  postMessage(message: ToWorker): void {
    this.received.push(message);
  }

  terminate(): void {
    this.isTerminated = true;
  }

  send(message: ToPage): void {
    this.dispatchEvent(new MessageEvent("message", { data: message }));
  }
}

const head = { status: 200, lengthBytes: 4, totalBytes: 4, type: null, reason: null } as const;

let worker: FakeWorker;
let session: WorkerSession;
let silences: boolean[];
let estimates: NetworkEstimate[];

afterEach(() => {
  vi.useRealTimers();
});

beforeEach(() => {
  vi.useFakeTimers();
  silences = [];
  estimates = [];
  worker = new FakeWorker();
  session = openWorkerSession({
    serverUrl: "https://127.0.0.1:4433",
    sessionToken: null,
    certificateHashes: ["aGFzaA=="],
    parameters,
    policy: null,
    onMeasured: (estimate) => estimates.push(estimate),
    onSilence: (isSilent) => silences.push(isSilent),
    createWorker: () => worker as unknown as Worker,
  });
});

describe("a session in its worker", () => {
  it("opens the session in its worker and becomes ready with it", async () => {
    expect(worker.received[0]).toMatchObject({
      kind: "open",
      options: { serverUrl: "https://127.0.0.1:4433" },
    });
    worker.send({ kind: "ready" });
    await session.ready;
  });

  it("brings each answer to its own request", async () => {
    const first = session.request({ path: "a" });
    const second = session.request({ path: "b", priority: 3 });
    expect(worker.received.slice(1)).toMatchObject([
      { kind: "request", id: 0, request: { path: "a" } },
      { kind: "request", id: 1, request: { path: "b", priority: 3 } },
    ]);
    const body = new ArrayBuffer(4);
    worker.send({ kind: "done", id: 1, head, body, bodyBytes: 4, endedAtMs: 5 });
    expect((await second).body).toBe(body);
    worker.send({ kind: "failed", id: 0, isCancelled: false, reason: "the stream broke off" });
    await expect(first).rejects.toBeInstanceOf(RequestFailed);
  });

  it("cancels in the worker and rejects with the signal's reason", async () => {
    const cancel = new AbortController();
    const request = session.request({ path: "a", signal: cancel.signal });
    cancel.abort();
    expect(worker.received.at(-1)).toEqual({ kind: "cancel", id: 0 });
    worker.send({ kind: "failed", id: 0, isCancelled: true, reason: "cancelled" });
    await expect(request).rejects.toMatchObject({ name: "AbortError" });
  });

  it("hands on what was measured, until it is being closed", () => {
    const estimate = { bandwidthBitsPerSecond: 24e6 } as NetworkEstimate;
    worker.send({ kind: "measured", estimate, stamps: new Float64Array() });
    expect(estimates).toEqual([estimate]);
    session.close();
    worker.send({ kind: "measured", estimate, stamps: new Float64Array() });
    expect(estimates).toHaveLength(1);
  });
});

describe("the end of a session", () => {
  it.each([
    ["idle", { kind: "idle", reason: "a newcomer" } as const, SessionIdle],
    ["refused", { kind: "refused", closeCode: 2, reason: "unknown scheme" } as const, RefusedSession],
    ["lost", { kind: "lost", wasOpen: true, closeCode: 6, reason: "it is late" } as const, SessionLost],
  ])("%s: rejects what is open with the typed error, and what comes later", async (_name, why, kind) => {
    const request = session.request({ path: "a" });
    request.catch(() => undefined);
    worker.send({ kind: "closed", why });
    await expect(request).rejects.toBeInstanceOf(kind);
    await expect(session.ready).rejects.toBeInstanceOf(kind);
    await expect(session.request({ path: "b" })).rejects.toBeInstanceOf(kind);
    expect(await session.closed).toBeInstanceOf(kind);
    expect(worker.isTerminated).toBe(true);
  });

  it("by the server keeps the code with which it was closed", async () => {
    const why = { kind: "lost", wasOpen: true, closeCode: 6, reason: "this server is busy" } as const;
    worker.send({ kind: "closed", why });
    expect(await session.closed).toMatchObject({ message: why.reason, closeCode: 6 });
  });

  it("asked for: is no error", async () => {
    session.close();
    expect(worker.received.at(-1)).toEqual({ kind: "close" });
    worker.send({ kind: "closed", why: { kind: "over" } });
    expect(await session.closed).toBeNull();
  });
});

describe("a worker", () => {
  it("hands on that the server is silent, and that it is heard again", () => {
    worker.send({ kind: "silence", isSilent: true });
    worker.send({ kind: "silence", isSilent: false });
    expect(silences).toEqual([true, false]);
  });

  it("hears what the player needs", () => {
    const need = { rateBytesPerSecond: 1e6, bufferSeconds: 4, fullBufferSeconds: 18 };
    session.tell(need);
    expect(worker.received.at(-1)).toEqual({ kind: "need", need });
  });

  it("asks the server for a sign of life when told to", () => {
    session.probe();
    expect(worker.received.at(-1)).toEqual({ kind: "probe" });
  });

  it("that says nothing for 2 s is ended with its session, and what was open is lost", async () => {
    const request = session.request({ path: "a" });
    request.catch(() => undefined);
    worker.send({ kind: "ready" });
    vi.advanceTimersByTime(2500);
    await expect(request).rejects.toThrow(
      new SessionLost("the receiver's worker does not answer", true).message,
    );
    expect(worker.isTerminated).toBe(true);
  });

  it("that speaks every 100 ms is kept", () => {
    for (let tick = 0; tick < 100; tick++) {
      worker.send({ kind: "alive" });
      vi.advanceTimersByTime(100);
    }
    expect(worker.isTerminated).toBe(false);
  });

  it("that fails ends its session", async () => {
    worker.dispatchEvent(Object.assign(new Event("error"), { message: "out of memory" }));
    expect((await session.closed)?.message).toBe("the receiver's worker failed: out of memory");
  });

  it("whose code cannot be loaded says so", async () => {
    worker.dispatchEvent(new Event("error"));
    expect((await session.closed)?.message).toContain("its code could not be loaded");
  });

  it("that does not end its session when told to is ended itself", async () => {
    session.close();
    vi.advanceTimersByTime(1000);
    expect(await session.closed).toBeNull();
    expect(worker.isTerminated).toBe(true);
  });
});
