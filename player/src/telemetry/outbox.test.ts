import fc from "fast-check";
import { expect, test } from "vitest";
import { Outbox, type StoredSession } from "./outbox.ts";
import type { TelemetryEvent } from "./vocabulary.ts";

const SESSION: StoredSession = { sid: "s", cid: "film", st: "v", dropped: 0 };
const event = (sn: number, ec?: string): TelemetryEvent => ({
  sn,
  ts: sn,
  e: "t",
  ...(ec !== undefined && { ec }),
});
const filled = (count: number, capacity?: number): Outbox => {
  const outbox = new Outbox(SESSION, [], capacity);
  for (let sn = 0; sn < count; sn += 1) outbox.add(event(sn));
  return outbox;
};
const numbers = (batch: { events: readonly TelemetryEvent[] } | null): number[] =>
  batch?.events.map(({ sn }) => sn) ?? [];

test("events stay until their batch is accepted", () => {
  const outbox = filled(3);
  const batch = outbox.next();
  expect(numbers(batch)).toEqual([0, 1, 2]);
  expect(numbers(outbox.next())).toEqual([0, 1, 2]);
  outbox.add(event(3));
  expect(batch && outbox.accepted(batch)).toEqual([0, 1, 2]);
  expect(numbers(outbox.next())).toEqual([3]);
});

test("a batch has 200 events and 64 KiB at the most", () => {
  expect(numbers(filled(500).next())).toHaveLength(200);
  const outbox = new Outbox(SESSION);
  for (let sn = 0; sn < 200; sn += 1) outbox.add(event(sn, "ü".repeat(1000)));
  const bytes = new TextEncoder().encode(JSON.stringify(outbox.next())).length;
  expect(bytes).toBeGreaterThan(60_000);
  expect(bytes).toBeLessThan(65_536);
});

test("beyond the capacity the oldest give way, and their number is told", () => {
  const outbox = filled(13, 10);
  expect(outbox.next()).toMatchObject({ dropped: 3, events: { length: 10 } });
  expect(numbers(outbox.next())[0]).toBe(3);
});

test("a last batch has the newest, in order", () => {
  const last = numbers(filled(500).last());
  expect([last[0], last.at(-1), last.length]).toEqual([300, 499, 200]);
});

test("one event that is refused is found, given up and counted; the others are told", () => {
  const outbox = filled(100);
  const bad = 37;
  const told: number[] = [];
  let attempts = 0;
  for (let batch = outbox.next(); batch !== null; batch = outbox.next()) {
    attempts += 1;
    if (numbers(batch).includes(bad)) outbox.refused(batch);
    else told.push(...outbox.accepted(batch));
  }
  expect(told).toEqual(Array.from({ length: 100 }, (_, sn) => sn).filter((sn) => sn !== bad));
  expect(outbox.session.dropped).toBe(1);
  expect(attempts).toBeLessThan(30);
});

test("once the event that is refused is found, twice as many are tried", () => {
  const outbox = filled(100);
  const sizes: number[] = [];
  for (let batch = outbox.next(); batch !== null && sizes.length < 10; batch = outbox.next()) {
    sizes.push(batch.events.length);
    outbox.refused(batch);
  }
  expect(sizes).toEqual([100, 50, 25, 13, 7, 4, 2, 1, 2, 1]);
});

test("a server that refuses everything empties the outbox, and all is counted", () => {
  const outbox = filled(20);
  for (let batch = outbox.next(); batch !== null; batch = outbox.next()) outbox.refused(batch);
  expect([outbox.isEmpty, outbox.session.dropped]).toEqual([true, 20]);
});

test("whatever happens, an event is unsent, told or counted as dropped, and only one of them", () => {
  const step = fc.constantFrom("add", "accept", "refuse", "lose answer");
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const outbox = new Outbox(SESSION, [], 7);
      let generated = 0;
      let told = 0;
      for (const name of steps) {
        const batch = outbox.next();
        if (name === "add") outbox.add(event(generated++));
        else if (batch !== null && name === "accept") told += outbox.accepted(batch).length;
        else if (batch !== null && name === "refuse") outbox.refused(batch);
      }
      const unsent = numbers(outbox.next()).length;
      const { dropped } = outbox.session;
      for (let batch = outbox.next(); batch !== null; batch = outbox.next())
        told += outbox.accepted(batch).length;
      expect(told + dropped).toBe(generated);
      expect(unsent).toBeLessThanOrEqual(7);
    }),
  );
});
