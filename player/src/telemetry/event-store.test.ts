import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { beforeEach, expect, test } from "vitest";
import { openEventStore } from "./event-store.ts";
import type { TelemetryEvent } from "./vocabulary.ts";

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
});

const event = (sn: number): TelemetryEvent => ({ sn, ts: sn, e: "t" });
const session = (sid: string, dropped = 0) => ({ sid, cid: "film", st: "v" as const, dropped });

test("what is added and not removed is there at the next visit", async () => {
  const first = await openEventStore(() => 1);
  await first.update(session("a"), { add: [event(0), event(1), event(10)] });
  await first.update(session("b"), { add: [event(5)] });
  await first.update(session("a", 2), { add: [event(2)], remove: [1] });
  const next = await openEventStore(() => 2);
  expect(await next.sessions()).toEqual(
    [session("b"), session("a", 2)].toSorted((one, two) => (one.sid < two.sid ? -1 : 1)),
  );
  expect(await next.events("a")).toEqual([event(0), event(2), event(10)]);
  await next.forget("a");
  expect(await next.sessions()).toEqual([session("b")]);
  expect(await next.events("a")).toEqual([]);
  expect(await next.events("b")).toEqual([event(5)]);
});

test("of more than twenty sessions the oldest lose their events, but not how many they were", async () => {
  let nowMs = 0;
  const store = await openEventStore(() => nowMs);
  for (; nowMs < 22; nowMs += 1) await store.update(session(`s${nowMs}`), { add: [event(0), event(1)] });
  const next = await openEventStore(() => nowMs);
  const sessions = await next.sessions();
  expect(sessions.slice(0, 3)).toEqual([session("s0", 2), session("s1", 2), session("s2", 0)]);
  expect([await next.events("s1"), await next.events("s2")]).toEqual([[], [event(0), event(1)]]);
});
