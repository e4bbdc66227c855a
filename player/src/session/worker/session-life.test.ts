import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ReceiverScheme } from "../../../../cc/receiver/receiver-scheme.ts";
import { encodeStamp } from "../wire/stamp.ts";
import { FakeTransport } from "./fake-transport.ts";
import { ReceiverSession } from "./receiver-session.ts";
import { runSession } from "./session-life.ts";

const stampDatagram = (sequence: number): Uint8Array =>
  encodeStamp({
    isAppLimited: false,
    phase: 1,
    epoch: 0,
    sequence,
    sendTimeSeconds: 2.5,
    bytesSent: 1_000_000,
    packetsSent: 900,
    smoothedRttSeconds: 0.041_25,
    minRttSeconds: 0.04,
    cwndBytes: 138_000,
    maxDatagramBytes: 1200,
  });

const state = {
  rawQueueingDelaySeconds: 0,
  queueingDelaySeconds: 0,
  bandwidthBitsPerSecond: null,
  deliveredBitsPerSecond: null,
  windowBytes: null,
  k: null,
  targetDelaySeconds: null,
  wantedBitsPerSecond: null,
  isHeld: false,
};

const silentScheme: ReceiverScheme = {
  onStamp: () => undefined,
  expectData: () => undefined,
  onNeed: () => undefined,
  startEpoch: () => undefined,
  feedback: () => null,
  state: () => state,
};

const bug = (): never => {
  throw new Error("window of NaN packets");
};

afterEach(() => {
  vi.unstubAllGlobals();
});

let transport: FakeTransport;
let timers: (() => void)[];
const onReady = vi.fn();

beforeEach(() => {
  transport = new FakeTransport();
  timers = [];
  onReady.mockClear();
});

function run(scheme: ReceiverScheme, ready = transport.ready) {
  const session = new ReceiverSession({
    transport,
    scheme,
    nowMs: () => 1000,
    wallMs: () => 1000,
    timeOriginMs: 0,
    setTimer: (callback) => {
      timers.push(callback);
      return () => undefined;
    },
    onStamp: () => undefined,
    onSilence: () => undefined,
  });
  const { closed } = transport;
  return runSession({ transport: { ready, closed }, session, serverUrl: "https://127.0.0.1:4433", onReady });
}

describe("a session", () => {
  it.each(["onStamp", "feedback", "state"] as const)("ends with its cause when %s throws", async (method) => {
    const end = run({ ...silentScheme, [method]: bug });
    const closed = vi.fn();
    void transport.closed.then(closed);
    transport.sendDatagram(stampDatagram(0));
    expect(await end).toEqual({
      kind: "lost",
      wasOpen: true,
      closeCode: null,
      reason: "the receiver failed (window of NaN packets)",
    });
    expect(onReady).toHaveBeenCalledOnce();
    expect(closed).toHaveBeenCalledWith({ closeCode: 0, reason: "over" });
  });

  it("ends with its cause when the scheme throws in a delayed feedback", async () => {
    let isBroken = false;
    const first = {
      sequence: 0,
      epoch: 0,
      lastStampSequence: 0,
      windowBytes: 12_000,
      endSlowStart: false,
      bandwidthBitsPerSecond: 1e6,
      queueingDelaySeconds: 0,
      k: 7,
      targetDelaySeconds: 0.04,
    };
    const end = run({ ...silentScheme, feedback: () => (isBroken ? bug() : first) });
    transport.sendDatagram(stampDatagram(0));
    transport.sendDatagram(stampDatagram(1));
    await vi.waitUntil(() => timers.length === 1);
    isBroken = true;
    timers[0]?.();
    expect(await end).toMatchObject({ kind: "lost", reason: "the receiver failed (window of NaN packets)" });
  });

  it("that could not be opened names what the server may lack, the page's origin among it", async () => {
    vi.stubGlobal("origin", "http://localhost:4173");
    expect(await run(silentScheme, Promise.reject(new Error("Opening handshake failed.")))).toEqual({
      kind: "lost",
      wasOpen: false,
      closeCode: null,
      reason:
        "the media server cannot be reached over UDP, is full, has another certificate, or lacks --origin " +
        "http://localhost:4173 (https://127.0.0.1:4433: Opening handshake failed.)",
    });
  });

  it("that the network breaks is told by `closed`, not by its datagrams", async () => {
    const end = run(silentScheme);
    transport.breakOff(new Error("connection lost"));
    expect(await end).toEqual({
      kind: "lost",
      wasOpen: true,
      closeCode: null,
      reason: "the session with the media server broke off (https://127.0.0.1:4433: connection lost)",
    });
  });

  it.each([
    [{}, { kind: "over" }],
    [
      { closeCode: 2, reason: "unknown scheme" },
      { kind: "refused", closeCode: 2, reason: "unknown scheme" },
    ],
    [
      { closeCode: 8, reason: "a newcomer" },
      { kind: "idle", reason: "the media server gave the idle place away: a newcomer" },
    ],
    [
      { closeCode: 4, reason: "malformed" },
      {
        ...{ kind: "lost", wasOpen: true, closeCode: 4 },
        reason: "the media server closed the session: malformed",
      },
    ],
    [
      { closeCode: 9 },
      {
        ...{ kind: "lost", wasOpen: true, closeCode: 9 },
        reason: "the media server closed the session with code 9",
      },
    ],
  ])("closed with %j ends as %j", async (info, why) => {
    const end = run(silentScheme);
    transport.close(info);
    expect(await end).toEqual(why);
  });
});
