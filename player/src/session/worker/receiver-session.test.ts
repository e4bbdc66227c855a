import { beforeEach, describe, expect, it } from "vitest";
import type {
  Feedback,
  Need,
  ReceiverScheme,
  ReceiverState,
  Stamp,
} from "../../../../cc/receiver/receiver-scheme.ts";
import { RequestFailed } from "../session-errors.ts";
import { unpackStamps } from "../stamp-record.ts";
import { decodeFeedback } from "../wire/feedback.ts";
import { decodePing, encodePong, PING_TYPE } from "../wire/heartbeat.ts";
import { MalformedMessage } from "../wire/malformed-message.ts";
import { encodeStamp } from "../wire/stamp.ts";
import { FakeTransport, type ServerStream } from "./fake-transport.ts";
import { ReceiverSession, type SessionRequest, TICK_MS } from "./receiver-session.ts";
import { StampBatch } from "./stamp-batch.ts";

/** Asks for a window equal to the number of the stamp it has seen last, in packets. */
class EchoScheme implements ReceiverScheme {
  readonly stamps: { stamp: Stamp; receivedTimeSeconds: number; lateSeconds: number }[] = [];
  readonly expectations: boolean[] = [];
  readonly needs: { need: Need; nowSeconds: number }[] = [];
  /** Times at which what is relative to the clocks was to be forgotten. */
  readonly epochs: number[] = [];

  onStamp(stamp: Stamp, receivedTimeSeconds: number, lateSeconds = 0): void {
    this.stamps.push({ stamp, receivedTimeSeconds, lateSeconds });
  }

  expectData(isExpecting: boolean): void {
    this.expectations.push(isExpecting);
  }

  onNeed(need: Need, nowSeconds: number): void {
    this.needs.push({ need, nowSeconds });
  }

  startEpoch(nowSeconds: number): void {
    this.epochs.push(nowSeconds);
  }

  feedback(): Feedback | null {
    const newest = this.stamps.at(-1)?.stamp;
    if (newest === undefined) {
      return null;
    }
    return {
      sequence: 0,
      epoch: newest.epoch,
      lastStampSequence: newest.sequence,
      windowBytes: 1200 * (newest.sequence + 1),
      endSlowStart: false,
      bandwidthBitsPerSecond: 24_000_000.4,
      queueingDelaySeconds: 0.0145,
      k: 7,
      targetDelaySeconds: 0.04,
    };
  }

  state(): ReceiverState {
    return {
      rawQueueingDelaySeconds: 0.016,
      queueingDelaySeconds: 0.0145,
      bandwidthBitsPerSecond: 24e6,
      deliveredBitsPerSecond: 22e6,
      windowBytes: 120_000,
      k: 7,
      targetDelaySeconds: 0.04,
      wantedBitsPerSecond: 12e6,
      isHeld: true,
    };
  }
}

function stampDatagram(sequence: number, epoch = 0, cwndBytes = 138_000): Uint8Array {
  const stamp: Stamp = {
    isAppLimited: false,
    phase: 1,
    epoch,
    sequence,
    sendTimeSeconds: 2.5,
    bytesSent: 1_000_000,
    packetsSent: 900,
    smoothedRttSeconds: 0.041_25,
    minRttSeconds: 0.04,
    cwndBytes,
    maxDatagramBytes: 1200,
  };
  return encodeStamp(stamp);
}

/** Lets everything run that is already due; the fakes use no timers. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) {
    await Promise.resolve();
  }
}

let transport: FakeTransport;
let scheme: EchoScheme;
let session: ReceiverSession;
let stamps: StampBatch;
let silences: boolean[];
let nowMs: number;
let clockIsSetByMs: number;
let timers: { callback: () => void; dueMs: number }[];

function advanceTo(timeMs: number): void {
  nowMs = timeMs;
  const due = timers.filter(({ dueMs }) => dueMs <= timeMs);
  timers = timers.filter(({ dueMs }) => dueMs > timeMs);
  for (const { callback } of due) {
    callback();
  }
}

beforeEach(() => {
  transport = new FakeTransport();
  scheme = new EchoScheme();
  stamps = new StampBatch();
  silences = [];
  timers = [];
  nowMs = 1000;
  clockIsSetByMs = 0;
  session = new ReceiverSession({
    transport,
    scheme,
    nowMs: () => nowMs,
    wallMs: () => 1_764_000_000_000 + nowMs + clockIsSetByMs,
    timeOriginMs: 1_764_000_000_000,
    setTimer: (callback, delayMs) => {
      const timer = { callback, dueMs: nowMs + delayMs };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    onStamp: (received) => stamps.add(received),
    onSilence: (isSilent) => silences.push(isSilent),
  });
});

describe("stamps", () => {
  beforeEach(() => {
    void session.readDatagrams();
  });

  it("raises the queue of datagrams before the first can be dropped", () => {
    expect(transport.datagrams.incomingHighWaterMark).toBeGreaterThanOrEqual(4096);
  });

  it("reach the scheme in seconds and the records in milliseconds", async () => {
    transport.sendDatagram(stampDatagram(5));
    await settle();
    expect(scheme.stamps[0]?.stamp).toMatchObject({
      sequence: 5,
      sendTimeSeconds: 2.5,
      smoothedRttSeconds: 0.04125,
      minRttSeconds: 0.04,
    });
    expect(scheme.stamps[0]?.receivedTimeSeconds).toBe(1);
    expect(unpackStamps(stamps.take())[0]).toMatchObject({
      receivedAtMs: 1_764_000_001_000,
      sequence: 5,
      smoothedRttMs: 41.25,
      oneWayQueueingDelayMs: 16,
      queueingDelayMs: 14.5,
      windowBytes: 120_000,
    });
  });

  it("counts malformed datagrams and gaps, and goes on", async () => {
    transport.sendDatagram(stampDatagram(0));
    transport.sendDatagram(Uint8Array.of(9, 9, 9));
    transport.sendDatagram(stampDatagram(3));
    await settle();
    expect(session.estimate()).toMatchObject({ stampsReceived: 2, stampsMissing: 2, malformedDatagrams: 1 });
  });
});

describe("feedback", () => {
  const windows = (): number[] => transport.received.map((datagram) => decodeFeedback(datagram).windowBytes);

  beforeEach(() => {
    void session.readDatagrams();
  });

  it("answers the first stamp at once", async () => {
    transport.sendDatagram(stampDatagram(0));
    await settle();
    expect(decodeFeedback(transport.received[0] ?? Uint8Array.of())).toEqual({
      endSlowStart: false,
      epoch: 0,
      sequence: 0,
      lastStampSequence: 0,
      windowBytes: 1200,
      bandwidthBitsPerSecond: 24_000_000,
      queueingDelaySeconds: 0.0145,
      k: 7,
      targetDelaySeconds: 0.04,
    });
  });

  it("sends at most one in a quarter of the round trip, and then the newest", async () => {
    for (const sequence of [0, 1, 2]) {
      transport.sendDatagram(stampDatagram(sequence));
    }
    await settle();
    expect(windows()).toEqual([1200]);
    advanceTo(1009.9);
    expect(windows()).toEqual([1200]);
    advanceTo(1010);
    expect(windows()).toEqual([1200, 3600]);
  });

  it("waits, too, when the sender has reset its window", async () => {
    transport.sendDatagram(stampDatagram(0, 0));
    transport.sendDatagram(stampDatagram(1, 1));
    await settle();
    expect(windows()).toEqual([1200]);
    advanceTo(1010);
    expect(windows()).toEqual([1200, 2400]);
  });

  it("takes a stamp that was overtaken not for the newest", async () => {
    transport.sendDatagram(stampDatagram(0, 0));
    transport.sendDatagram(stampDatagram(2, 1, 60_000));
    transport.sendDatagram(stampDatagram(1, 0, 138_000));
    await settle();
    expect(session.estimate()).toMatchObject({ cwndBytes: 60_000, stampsReceived: 3, stampsMissing: 0 });
    expect(timers).toHaveLength(1);
  });

  it("queues nothing while the network takes no datagram", async () => {
    transport.holdWrites();
    transport.sendDatagram(stampDatagram(0));
    await settle();
    for (const [timeMs, sequence] of [
      [1010, 1],
      [1020, 2],
      [1030, 3],
    ] as const) {
      advanceTo(timeMs);
      transport.sendDatagram(stampDatagram(sequence));
      await settle();
    }
    expect(windows()).toEqual([1200]);
    transport.releaseWrite?.();
    await settle();
    expect(windows()).toEqual([1200, 4800]);
  });

  it("stops with the session", async () => {
    transport.sendDatagram(stampDatagram(0));
    transport.sendDatagram(stampDatagram(1));
    await settle();
    session.close();
    advanceTo(2000);
    expect(windows()).toEqual([1200]);
  });
});

describe("segment requests", () => {
  function download(changes: Partial<SessionRequest> = {}) {
    const progress: number[] = [];
    const cancel = new AbortController();
    const done = session.download({
      request: { path: "seg-1-00001.m4s", priority: 3 },
      signal: cancel.signal,
      discardBody: false,
      onHead: () => undefined,
      onProgress: (loadedBytes) => progress.push(loadedBytes),
      ...changes,
    });
    done.catch(() => undefined);
    return { done, progress, cancel };
  }

  async function serverStream(): Promise<ServerStream> {
    await settle();
    const stream = transport.streams[0];
    if (stream === undefined) {
      throw new Error("the client opened no stream");
    }
    return stream;
  }

  it("asks with one line and collects the bytes, wherever the head is cut", async () => {
    const { done, progress } = download();
    const stream = await serverStream();
    expect(await stream.line).toBe('{"path":"seg-1-00001.m4s","priority":3}\n');
    stream.send('{"status":200,"len');
    stream.send('gth":6,"total":6,"type":"video/mp4"}\nab');
    stream.send("cd");
    stream.send("ef");
    stream.end();
    const { head, body } = await done;
    expect(head).toMatchObject({ status: 200, lengthBytes: 6, type: "video/mp4" });
    expect(new TextDecoder().decode(body ?? new ArrayBuffer(0))).toBe("abcdef");
    expect(progress).toEqual([2, 4, 6]);
  });

  it("says when data is expected and counts what is delivered", async () => {
    const { done } = download();
    const stream = await serverStream();
    stream.send('{"status":200,"length":1}\nx');
    stream.end();
    await done;
    expect(scheme.expectations).toEqual([true, false]);
    expect(session.estimate().deliveredBitsPerSecond).toBe(27 * 8);
  });

  it("counts the silence of a request from when it was made, not from the bytes of one before", async () => {
    const { done } = download();
    const stream = await serverStream();
    stream.send('{"status":200,"length":1}\nx');
    stream.end();
    await done;
    advanceTo(60_000);
    expect(session.estimate().silenceSeconds).toBe(0);
    download();
    await settle();
    advanceTo(60_500);
    expect(session.estimate().silenceSeconds).toBe(0.5);
  });

  it("hands on an error status with its reason", async () => {
    const { done } = download();
    const stream = await serverStream();
    stream.send('{"status":404,"length":0,"reason":"not served here"}\n');
    stream.end();
    expect((await done).head).toMatchObject({ status: 404, reason: "not served here" });
  });

  it("counts a body that it is told to discard", async () => {
    const { done } = download({ discardBody: true });
    const stream = await serverStream();
    stream.send('{"status":200,"length":5}\nhello');
    stream.end();
    expect(await done).toMatchObject({ body: null, bodyBytes: 5 });
  });

  it("stops the server's sending when cancelled, and rejects with the reason", async () => {
    const { done, cancel } = download();
    const stream = await serverStream();
    stream.send('{"status":200,"length":6}\nab');
    await settle();
    cancel.abort();
    await expect(done).rejects.toMatchObject({ name: "AbortError" });
    await stream.stopped;
    expect(scheme.expectations).toEqual([true, false]);
  });

  it("opens no stream for a request cancelled before", async () => {
    const { done } = download({ signal: AbortSignal.abort() });
    await expect(done).rejects.toMatchObject({ name: "AbortError" });
    expect(transport.streams).toHaveLength(0);
  });

  it.each([
    ["is reset", (stream: ServerStream) => stream.reset()],
    ["ends without an answer", (stream: ServerStream) => stream.end()],
    [
      "ends early",
      (stream: ServerStream) => {
        stream.send('{"status":200,"length":6}\nab');
        stream.end();
      },
    ],
  ])("fails when the stream %s", async (_name, misbehave) => {
    const { done } = download();
    misbehave(await serverStream());
    await expect(done).rejects.toBeInstanceOf(RequestFailed);
  });

  it.each([
    ["more bytes than announced", '{"status":200,"length":1}\nab'],
    ["a head that is no JSON", "HTTP/1.1 200 OK\n"],
    ["an endless head", "x".repeat(5000)],
  ])("refuses %s and stops the stream", async (_name, answer) => {
    const { done } = download();
    const stream = await serverStream();
    stream.send(answer);
    await expect(done).rejects.toBeInstanceOf(MalformedMessage);
    await stream.stopped;
  });
});

describe("a late computer", () => {
  it("is no queue: stamps that it reads late are said to be", async () => {
    void session.readDatagrams();
    for (const [timeMs, sequence] of [
      [1000, 0],
      [1001, 1],
      [1060, 2],
      [1060.5, 3],
    ] as const) {
      nowMs = timeMs; // the timer for the next feedback, due at 1004, has not run
      transport.sendDatagram(stampDatagram(sequence));
      await settle();
    }
    expect(unpackStamps(stamps.take()).map(({ lateMs }) => lateMs)).toEqual([0, 0, 59, 59.5]);
    expect(scheme.stamps.map(({ lateSeconds }) => lateSeconds)).toEqual([0, 0, 0.059, 0.0595]);
  });

  it("is told of in the estimate, by its timers and ticks", async () => {
    session.tick();
    nowMs = 1180;
    session.tick();
    expect(session.estimate().hostLateSeconds).toBeCloseTo(0.08, 9);
    nowMs = 2500;
    expect(session.estimate().hostLateSeconds).toBe(0);
  });

  it("is not blamed for the time before the session was open", () => {
    nowMs = 1900;
    session.tick();
    expect(session.estimate().hostLateSeconds).toBe(0);
  });
});

/** Ticks, as the worker does, up to a time. */
async function tickTo(endMs: number): Promise<void> {
  while (nowMs < endMs) {
    advanceTo(nowMs + TICK_MS);
    session.tick();
    await settle();
  }
}

function pings(): number[] {
  return transport.received.filter(([type]) => type === PING_TYPE).map((bytes) => decodePing(bytes).sequence);
}

describe("a session's heartbeat", () => {
  beforeEach(() => {
    void session.readDatagrams();
  });

  it("pings while nothing comes, and knows within 2 s that the server is silent", async () => {
    await tickTo(3000);
    expect(pings()).toEqual([0, 1, 2, 3]);
    expect(silences).toEqual([true]);
  });

  it.each([
    ["a pong", () => transport.sendDatagram(encodePong(0))],
    ["a stamp", () => transport.sendDatagram(stampDatagram(0))],
    ["a malformed datagram", () => transport.sendDatagram(new Uint8Array(3))],
  ])("hears the server by %s", async (_name, send) => {
    await tickTo(3000);
    send();
    await settle();
    expect(silences).toEqual([true, false]);
  });

  it("hears the server by bytes of a stream", async () => {
    void session.download({
      request: { path: "seg-0-00001.m4s" },
      signal: new AbortController().signal,
      discardBody: false,
      onHead: () => undefined,
      onProgress: () => undefined,
    });
    await tickTo(3000);
    transport.streams[0]?.send('{"status":200,"length":4,"total":4,"type":"video/mp4"}\n');
    await settle();
    expect(silences).toEqual([true, false]);
  });

  it("takes a pong for no malformed stamp", async () => {
    transport.sendDatagram(encodePong(0));
    await settle();
    expect(session.estimate().malformedDatagrams).toBe(0);
  });

  it("asks at once when it is told to", async () => {
    session.probe();
    await settle();
    expect(pings()).toEqual([0]);
  });

  it("queues no ping behind one that the network does not take", async () => {
    transport.holdWrites();
    await tickTo(10_000);
    transport.releaseWrite?.();
    await settle();
    expect(pings()).toEqual([0]);
  });
});

describe("a session's clocks", () => {
  beforeEach(async () => {
    void session.readDatagrams();
    await tickTo(1200);
  });

  it("start no epoch while they run", async () => {
    await tickTo(5000);
    expect(scheme.epochs).toEqual([]);
  });

  it("start one when the wall clock is set", async () => {
    clockIsSetByMs = -3_600_000;
    await tickTo(2000);
    expect(scheme.epochs).toEqual([1.3]);
  });

  it("start one after a freeze, before the stamps that waited in it are taken into account", async () => {
    advanceTo(20_000);
    transport.sendDatagram(stampDatagram(0));
    await settle();
    expect(scheme.epochs).toEqual([20]);
    expect(scheme.stamps).toHaveLength(1);
    session.tick();
    expect(scheme.epochs).toEqual([20]);
    expect(silences).toEqual([]);
  });

  it("take a freeze that kept the answer to a ping away for no silence", async () => {
    await tickTo(1500);
    expect(pings()).toEqual([0]);
    advanceTo(20_000);
    session.tick();
    await settle();
    expect(silences).toEqual([]);
    await tickTo(22_000);
    expect(silences).toEqual([true]);
  });
});
