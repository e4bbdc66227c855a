import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { MediaSession } from "./media-session.ts";
import type { NetworkEstimate } from "./network-estimate.ts";
import { SessionLost } from "./session-errors.ts";
import { packStamps, StampLog, type StampRecord } from "./stamp-record.ts";
import { parameters } from "./testing/sample-parameters.ts";
import { watch } from "./watch.ts";
import type { WorkerSession, WorkerSessionOptions } from "./worker-session.ts";

const estimate = { bandwidthBitsPerSecond: 8e6, policy: null } as NetworkEstimate;

let opened: WorkerSessionOptions[];
let stamps: StampLog;
let policyOf: () => null;

function openFake(options: WorkerSessionOptions): WorkerSession {
  opened.push(options);
  return {
    ready: Promise.resolve(),
    closed: new Promise(() => undefined),
    request: () => new Promise(() => undefined),
    probe: () => undefined,
    tell: () => undefined,
    close: () => undefined,
  };
}

async function openSession(): Promise<MediaSession> {
  const address = { serverUrl: "https://127.0.0.1:4433", certificateHashes: ["aGFzaA=="] };
  const session = new MediaSession({
    address: () => Promise.resolve(address),
    parameters,
    policyOf,
    fallback: true,
    stamps,
    open: openFake,
  });
  await vi.waitFor(() => expect(session.state.get()?.kind).toMatch(/open$|lost/));
  return session;
}

const stamp = (sequence: number) => packStamps([{ sequence } as StampRecord]);

beforeEach(() => {
  opened = [];
  stamps = new StampLog();
  policyOf = () => null;
  vi.stubGlobal("WebTransport", class {});
  vi.stubGlobal("addEventListener", vi.fn());
  vi.stubGlobal("document", { addEventListener: vi.fn() });
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it("has the newest estimate, and none over HTTP, when it would be stale", async () => {
  const session = await openSession();
  expect([session.path.get().kind, session.estimate.get()]).toEqual(["webtransport", null]);
  opened[0]?.onMeasured?.(estimate, stamp(1));
  expect(session.estimate.get()).toBe(estimate);
  session.close("closed");
  expect([session.state.get(), session.estimate.get()]).toEqual([null, null]);
  expect([session.path.get().kind, session.estimate.get()]).toEqual(["http", null]);
  opened[0]?.onMeasured?.(estimate, stamp(2));
  expect(session.estimate.get()).toBeNull();
});

it("keeps the stamps of one session after another, and the estimate until the next comes", async () => {
  const session = await openSession();
  opened[0]?.onMeasured?.(estimate, stamp(1));
  session.change({ ...parameters, scheme: "cubic" });
  await vi.waitFor(() => expect(opened).toHaveLength(2));
  expect(session.estimate.get()).toBe(estimate);
  opened[1]?.onMeasured?.(estimate, stamp(2));
  expect(stamps.records().map(({ sequence }) => sequence)).toEqual([1, 2]);
});

it("goes over HTTP where the browser has no WebTransport, and has no state", () => {
  vi.unstubAllGlobals();
  const address = () => Promise.resolve(null);
  const session = new MediaSession({ address, parameters, policyOf, fallback: true, stamps });
  expect([session.path.get().kind, session.state.get()]).toEqual(["http", null]);
});

it("fails requests where the browser has no WebTransport and nothing falls back, until it is closed", async () => {
  vi.unstubAllGlobals();
  const address = () => Promise.resolve(null);
  const session = new MediaSession({ address, parameters, policyOf, fallback: false, stamps });
  const { signal } = new AbortController();
  await expect(session.paths.next(signal)).rejects.toThrow(/^this browser has no WebTransport/);
  session.close("closed");
  expect(await session.paths.next(signal)).toEqual({ kind: "http" });
});

it("says that a policy's URL is none", async () => {
  policyOf = () => {
    throw new TypeError("Invalid URL");
  };
  const session = await openSession();
  expect(session.state.get()).toMatchObject({ kind: "lost", error: { message: "Invalid URL" } });
  session.close("closed");
});

it("tells of each state once, and keeps no stamps that nobody wants", async () => {
  const address = () => Promise.resolve({ serverUrl: "https://127.0.0.1:4433", certificateHashes: [] });
  const options = { address, parameters, policyOf, fallback: true, stamps: null, open: openFake };
  const session = new MediaSession(options);
  const kinds: unknown[] = [];
  watch(session.state, (state) => kinds.push(state?.kind));
  await vi.waitFor(() => expect(kinds).toEqual(["opening", "open"]));
  session.reconnect();
  await vi.waitFor(() => expect(kinds).toEqual(["opening", "open", "opening", "open"]));
  opened[1]?.onMeasured?.(estimate, stamp(1));
  expect(session.estimate.get()).toBe(estimate);
  session.close("closed");
});

it("tells of an outage once, however often it asks for the address", async () => {
  vi.useFakeTimers();
  const address = vi.fn(() => Promise.reject(new Error("Failed to fetch")));
  const session = new MediaSession({ address, parameters, policyOf, fallback: true, stamps, open: openFake });
  const kinds: unknown[] = [];
  watch(session.state, (state) => kinds.push(state?.kind));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(address.mock.calls.length).toBeGreaterThan(3);
  expect(kinds).toEqual(["opening", "lost"]);
  session.close("closed");
});

it("tells of a server that is gone behind a page that lives once, and of its end", async () => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0.5); // or the last attempt may come after the end
  let isGone = true;
  const address = () =>
    Promise.resolve({ serverUrl: "https://127.0.0.1:4433", certificateHashes: ["aGFzaA=="] });
  const failed = () => new SessionLost("Opening handshake failed.", false);
  const openOrNot = (options: WorkerSessionOptions): WorkerSession => ({
    ...openFake(options),
    ...(isGone && { ready: new Promise<void>(() => undefined), closed: Promise.resolve(failed()) }),
  });
  const session = new MediaSession({
    address,
    parameters,
    policyOf,
    fallback: true,
    stamps,
    open: openOrNot,
  });
  const kinds: unknown[] = [];
  const path: unknown[] = [];
  watch(session.state, (state) => kinds.push(state?.kind));
  watch(session.path, ({ kind }) => path.push(kind));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(opened.length).toBeGreaterThan(5);
  isGone = false;
  await vi.advanceTimersByTimeAsync(60_000);
  expect([kinds, path]).toEqual([
    ["opening", "lost", "open"],
    ["connecting", "http", "webtransport"],
  ]);
  session.close("closed");
});

it("starts each scheme's worker by what is right for it, unless the page starts workers itself", async () => {
  const [byScheme, byPage] = [() => ({}) as Worker, () => ({}) as Worker];
  const workerOf = vi.fn(() => Promise.resolve(byScheme));
  const address = () =>
    Promise.resolve({ serverUrl: "https://127.0.0.1:4433", certificateHashes: ["aGFzaA=="] });
  const options = { address, parameters, policyOf, fallback: true, stamps, workerOf, open: openFake };
  for (const createWorker of [undefined, byPage]) {
    const session = new MediaSession({ ...options, createWorker });
    await vi.waitFor(() => expect(session.state.get()?.kind).toBe("open"));
  }
  expect(opened.map(({ createWorker }) => createWorker)).toEqual([byScheme, byPage]);
  expect(workerOf).toHaveBeenCalledExactlyOnceWith("nuwa");
});

it("has no state once it was closed, by whoever heard of its path, too", async () => {
  const session = await openSession();
  watch(session.path, ({ kind }) => kind === "connecting" && session.close("closed"));
  session.reconnect();
  expect([session.path.get().kind, session.state.get()]).toEqual(["http", null]);
});
