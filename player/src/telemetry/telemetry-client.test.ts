import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { beforeEach, expect, test, vi } from "vitest";
import { type EventStore, NO_EVENT_STORE, openEventStore } from "./event-store.ts";
import { TelemetryClient } from "./telemetry-client.ts";
import type { TelemetryBatch } from "./vocabulary.ts";

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
});

/** A server that counts an event once, and answers as it is told. */
class FakeServer {
  readonly events = new Map<string, Set<number>>();
  readonly dropped = new Map<string, number>();
  requests = 0;
  bodies: { keepalive: boolean; bytes: number }[] = [];
  answer: (batch: TelemetryBatch) => Response | Error = () => new Response("{}");

  fetch: typeof fetch = async (url, init) => {
    this.requests += 1;
    const body = String(init?.body);
    this.bodies.push({ keepalive: init?.keepalive === true, bytes: body.length });
    const batch = JSON.parse(body) as TelemetryBatch;
    const answer = this.answer(batch);
    if (answer instanceof Error) throw answer;
    if (answer.ok) this.#take(String(url).split("/")[4] ?? "", batch);
    return answer;
  };

  numbers(sid: string): number[] {
    return [...(this.events.get(sid) ?? [])].sort((one, other) => one - other);
  }

  #take(sid: string, { events, dropped }: TelemetryBatch): void {
    const known = this.events.get(sid) ?? new Set();
    for (const { sn } of events) known.add(sn);
    this.events.set(sid, known);
    this.dropped.set(sid, dropped);
  }
}

/** A page's visit in virtual time. */
function visit(sid: string, server: FakeServer, store: EventStore, alive: readonly string[] = []) {
  let nowMs = 0;
  let timer: { callback: () => void; atMs: number } | null = null;
  const onUnkept = vi.fn();
  const client = new TelemetryClient({
    session: { sid, cid: "film", st: "v", dropped: 0 },
    store,
    fetch: server.fetch,
    nowMs: () => 1_700_000_000_000 + nowMs,
    monotonicMs: () => nowMs,
    setTimer: (callback, delayMs) => {
      const mine = { callback, atMs: nowMs + delayMs };
      timer = mine;
      return () => {
        if (timer === mine) timer = null;
      };
    },
    random: () => 0.5,
    unlessAlive: async (other, body) => {
      if (!alive.includes(other)) await body();
    },
    onUnkept,
  });
  /** Lets time pass; what a timer begins is done before the next. */
  const pass = async (ms: number): Promise<void> => {
    const untilMs = nowMs + ms;
    await settled();
    while (timer !== null && timer.atMs <= untilMs) {
      const { callback, atMs } = timer;
      timer = null;
      nowMs = Math.max(nowMs, atMs);
      callback();
      await settled();
    }
    nowMs = untilMs;
  };
  return { client, pass, onUnkept, nowMs: () => nowMs };
}

/** fake-indexeddb and the fake server need some turns of the event loop. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 40; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

const openStore = () => openEventStore(() => 0);
const away = () => new TypeError("Failed to fetch");
const upTo = (count: number) => Array.from({ length: count }, (_, sn) => sn);

test("events go together, within 5 s", async () => {
  const server = new FakeServer();
  const { client, pass } = visit("a", server, await openStore());
  await pass(0);
  for (let sn = 0; sn < 3; sn += 1) client.report("t");
  await pass(4999);
  expect(server.requests).toBe(0);
  await pass(1);
  expect([server.requests, server.numbers("a")]).toEqual([1, [0, 1, 2]]);
});

test("what kind of stream it is goes with the batches once it is known, and is kept", async () => {
  const server = new FakeServer();
  const store = await openStore();
  const told: TelemetryBatch["st"][] = [];
  server.answer = ({ st }) => {
    told.push(st);
    return new Response("{}");
  };
  const { client, pass } = visit("a", server, store);
  client.report("t");
  await pass(5000);
  client.tellStreamType("l");
  await client.stored();
  expect(await store.sessions()).toEqual([{ sid: "a", cid: "film", st: "l", dropped: 0 }]);
  client.report("t");
  await pass(5000);
  expect(told).toEqual(["v", "l"]);
});

test("while the server is away they are kept, attempts grow rarer, and then all of them arrive", async () => {
  const server = new FakeServer();
  server.answer = away;
  const { client, pass } = visit("a", server, await openStore());
  const minutes = 5;
  for (let second = 0; second < minutes * 60; second += 5) {
    client.report("t");
    await pass(5000);
  }
  expect(server.requests).toBeLessThan(14);
  server.answer = () => new Response("{}");
  await pass(60_000);
  expect(server.numbers("a")).toEqual(upTo(60));
  expect(server.dropped.get("a")).toBe(0);
});

test.each([500, 503, 507, 429])("after %i they are sent again", async (status) => {
  const server = new FakeServer();
  server.answer = () => new Response("{}", { status, headers: { "Retry-After": "7" } });
  const { client, pass } = visit("a", server, await openStore());
  await pass(0);
  client.report("t");
  await pass(5000);
  server.answer = () => new Response("{}");
  await pass(6900);
  const early = server.requests;
  await pass(100);
  expect([early, server.requests, server.numbers("a")]).toEqual([1, 2, [0]]);
});

test("a batch whose answer was lost is sent again and counted once", async () => {
  const server = new FakeServer();
  const { client, pass } = visit("a", server, await openStore());
  let isFirst = true;
  server.answer = () => {
    const lost = isFirst;
    isFirst = false;
    return lost ? away() : new Response("{}");
  };
  client.report("t");
  await pass(10_000);
  expect([server.requests, server.numbers("a")]).toEqual([2, [0]]);
});

test("an event that is refused for good holds nothing up, and is counted", async () => {
  const server = new FakeServer();
  server.answer = ({ events }) =>
    new Response("{}", { status: events.some(({ sn }) => sn === 2) ? 400 : 200 });
  const { client, pass } = visit("a", server, await openStore());
  for (let sn = 0; sn < 5; sn += 1) client.report("t");
  await pass(60_000);
  expect(server.numbers("a")).toEqual([0, 1, 3, 4]);
  expect(server.dropped.get("a")).toBe(1);
});

test.each([401, 403, 404, 405, 408, 421])(
  "a server or a proxy that answers %i costs an attempt a minute, and no event",
  async (status) => {
    const server = new FakeServer();
    server.answer = () => new Response("{}", { status });
    const { client, pass } = visit("a", server, await openStore());
    for (let sn = 0; sn < 300; sn += 1) client.report("t");
    await pass(600_000);
    expect(server.requests).toBeLessThan(20);
    server.answer = () => new Response("{}");
    await pass(120_000);
    expect(server.numbers("a")).toEqual(upTo(300));
    expect(server.dropped.get("a")).toBe(0);
  },
);

test("a server that refuses every batch for good takes an event a minute from a page, not all of them", async () => {
  const server = new FakeServer();
  server.answer = () => new Response("{}", { status: 400 });
  const { client, pass } = visit("a", server, await openStore());
  for (let sn = 0; sn < 300; sn += 1) client.report("t");
  await pass(600_000);
  expect(server.requests).toBeLessThan(50);
  server.answer = () => new Response("{}");
  await pass(120_000);
  expect(server.numbers("a").length).toBeGreaterThan(280);
  expect(server.dropped.get("a")).toBe(300 - server.numbers("a").length);
});

test("what a visit leaves is sent by the next one, and forgotten", async () => {
  const server = new FakeServer();
  server.answer = away;
  const first = visit("a", server, await openStore());
  for (let sn = 0; sn < 450; sn += 1) first.client.report("t");
  await first.client.stored();
  first.client.close();
  server.answer = () => new Response("{}");
  const store = await openStore();
  const second = visit("b", server, store);
  second.client.report("t");
  await second.pass(10_000);
  expect([server.numbers("a"), server.numbers("b")]).toEqual([upTo(450), [0]]);
  await expect.poll(async () => (await store.sessions()).map(({ sid }) => sid)).toEqual(["b"]);
});

test("what a page in another tab is about to send is left to it", async () => {
  const server = new FakeServer();
  server.answer = away;
  const other = visit("a", server, await openStore());
  other.client.report("t");
  await other.client.stored();
  server.answer = () => new Response("{}");
  const second = visit("b", server, await openStore(), ["a"]);
  await second.pass(10_000);
  expect(server.numbers("a")).toEqual([]);
  await other.pass(10_000);
  expect(server.numbers("a")).toEqual([0]);
});

test("a page that is hidden sends at once, by a request that outlives it", async () => {
  const server = new FakeServer();
  const { client } = visit("a", server, await openStore());
  for (let sn = 0; sn < 300; sn += 1) client.report("t", { ec: "x".repeat(100) });
  void client.leave();
  expect(server.bodies).toEqual([{ keepalive: true, bytes: expect.any(Number) }]);
  expect(server.bodies[0]?.bytes).toBeLessThan(65_536);
});

test("without a store events are sent all the same; a store that fails is told once", async () => {
  const server = new FakeServer();
  const none = visit("a", server, NO_EVENT_STORE);
  none.client.report("t");
  await none.pass(5000);
  expect(server.numbers("a")).toEqual([0]);
  const full = visit("b", server, { ...NO_EVENT_STORE, update: () => Promise.reject(new Error("quota")) });
  for (let sn = 0; sn < 3; sn += 1) full.client.report("t");
  await full.pass(5000);
  expect(server.numbers("b")).toEqual([0, 1, 2]);
  expect(full.onUnkept).toHaveBeenCalledTimes(1);
});

test("a store that cannot tell what earlier visits have left holds up no event, and is told once", async () => {
  const server = new FakeServer();
  const sessions = () => Promise.reject(new Error("the storage is gone"));
  const { client, pass, onUnkept } = visit("a", server, { ...NO_EVENT_STORE, sessions });
  for (let sn = 0; sn < 3; sn += 1) {
    client.report("t");
    await pass(5000);
  }
  expect(server.numbers("a")).toEqual([0, 1, 2]);
  expect(onUnkept).toHaveBeenCalledTimes(1);
});
