import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import type { TelemetryBatch, TelemetryEvent } from "../../player/src/telemetry/vocabulary.ts";
import { createLog } from "../log.ts";
import { temporaryFolder } from "../sample-app.ts";
import { SID, sampleBatch, sampleEvent } from "./sample-telemetry.ts";
import { TelemetryStore } from "./store.ts";
import { readSummaries, type SessionSummary, summarizeSessions } from "./summary.ts";
import { sumsOf } from "./sums.ts";

const SIDS = [SID, randomUUID(), randomUUID()] as const;
const EVERYTHING = { sid: null, fromMs: 0, toMs: 8.64e15, limit: 10_000 };

const clock = { nowMs: 1_000_000 };

function openStore(directory = temporaryFolder()): TelemetryStore {
  const log = createLog("info", () => undefined);
  const store = new TelemetryStore({ directory, log, nowMs: () => clock.nowMs++ });
  onTestFinished(() => store.close());
  return store;
}

function send(store: TelemetryStore, events: readonly TelemetryEvent[], sid = SID) {
  return store.accept({ sid, batch: sampleBatch(events) as TelemetryBatch });
}

function run(store: TelemetryStore, sql: string): Promise<unknown> {
  return store.read((connection) => connection.run(sql));
}

/** The list as it is kept, held to that of the events. */
async function listed(store: TelemetryStore): Promise<SessionSummary[]> {
  const sessions = await summarizeSessions(store, EVERYTHING);
  expect(sessions).toEqual(await readSummaries(store, sumsOf("SELECT * FROM events"), 10_000));
  return sessions;
}

const someEvent = fc.record({
  sn: fc.nat(30),
  ts: fc.integer({ min: 1, max: 1e12 }),
  e: fc.constantFrom("bc", "bc", "t", "ps", "e"),
  sta: fc.constantFrom("p", "r", "s", "q"),
  br: fc.option(fc.nat(9000), { nil: undefined }),
  pb: fc.option(fc.nat(9000), { nil: undefined }),
  bsd: fc.option(fc.nat(5000), { nil: undefined, freq: 1 }),
  bsda: fc.option(fc.nat(5000), { nil: undefined, freq: 1 }),
  msd: fc.option(fc.nat(5000), { nil: undefined }),
  pt: fc.option(fc.nat(90_000), { nil: undefined }),
  "nuwa-bw": fc.option(fc.nat(9000), { nil: undefined }),
  "nuwa-qd": fc.option(fc.nat(300), { nil: undefined }),
  "nuwa-dr": fc.option(fc.nat(2), { nil: undefined }),
  "nuwa-path": fc.constantFrom("http", "webtransport", undefined),
  "nuwa-scheme": fc.constantFrom("nuwa", "cubic", undefined),
});
const someBatch = fc.tuple(fc.constantFrom(...SIDS), fc.array(someEvent, { minLength: 1, maxLength: 6 }));

test("whatever comes, twice and in any order, a list that reads no events says what one of all events says", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(someBatch, { minLength: 1, maxLength: 8 }), async (batches) => {
      const store = openStore();
      for (const [sid, events] of batches) await send(store, events as TelemetryEvent[], sid);
      const sessions = await listed(store);
      expect(sessions).toHaveLength(new Set(batches.map(([sid]) => sid)).size);
      await store.close();
    }),
    { numRuns: 8 },
  );
});

test("each sum is of the events that its meaning names", async () => {
  const store = openStore();
  const event = (sn: number, seconds: number, changes: Partial<TelemetryEvent>) =>
    sampleEvent(sn, { ts: 1000 * seconds, ...changes });
  await send(store, [
    event(0, 1, {
      e: "ps",
      sta: "p",
      msd: 700,
      "nuwa-scheme": "cubic",
      "nuwa-rule": "bola",
      "nuwa-preset": "film",
    }),
    event(1, 2, { e: "bc", br: 1000, "nuwa-bw": 90_000, "nuwa-qd": 500, pb: 9000 }),
    event(2, 3, { pb: 1000, pt: 2000, "nuwa-bw": 4000, "nuwa-qd": 10, "nuwa-dr": 900, "nuwa-path": "http" }),
    event(3, 4, { e: "bc", br: 4000 }),
    event(4, 5, { e: "ps", sta: "r", "nuwa-scheme": "nuwa", "nuwa-path": "webtransport" }),
    event(5, 6, { e: "t", sta: "r", pb: 9000, pt: 3000, "nuwa-bw": 2000, "nuwa-qd": 30, "nuwa-dr": 1 }),
    event(6, 7, { e: "ps", sta: "p", bsd: 2000 }),
    event(7, 8, { pb: 4000, pt: 4000, "nuwa-bw": 90_000, "nuwa-qd": 0, "nuwa-dr": 0 }),
    event(8, 9, { e: "bc", br: 3000, "nuwa-rule": "nuwa", "nuwa-estimator": "dashjs" }),
    event(9, 10, { e: "ps", sta: "r" }),
    event(10, 14, { e: "e" }),
    event(11, 15, { e: "ps", sta: "f" }),
    event(14, 16, { e: "ps", sta: "q" }),
  ]);
  expect(await listed(store)).toEqual([
    {
      ...{ sid: SID, cid: "Sample", st: "v", startedAtMs: 1000, endedAtMs: 16_000 },
      ...{ events: 13, generated: 15, dropped: 0, missing: 2 },
      ...{ startupMs: 700, playedUntilMs: 4000, errors: 1 },
      // 2 s, and from the second on, which neither failing nor leaving ended.
      ...{ stalls: 2, stalledMs: 2000 + 6000 },
      ...{ switches: 2, switchedKbps: 3000 + 1000 },
      // On the screen is what reports say while it plays; the rest is of reports while something came.
      ...{ meanKbps: 2500, meanEstimateKbps: 3000, meanQueueingDelayMs: 20 },
      ...{ path: "http", scheme: "nuwa", preset: "film", rule: "nuwa", estimator: "dashjs" },
    },
  ]);
});

test("changes of bitrate that come late are counted where they were made", async () => {
  const store = openStore();
  const change = (sn: number, br: number) => sampleEvent(sn, { e: "bc", br });
  await send(store, [change(0, 1000), change(2, 3000)]);
  expect(await listed(store)).toMatchObject([{ switches: 1, switchedKbps: 2000 }]);
  await send(store, [change(1, 5000)]);
  expect(await listed(store)).toMatchObject([{ switches: 2, switchedKbps: 6000 }]);
  await send(store, [change(3, 4000)]);
  expect(await listed(store)).toMatchObject([{ switches: 3, switchedKbps: 7000 }]);
});

test("a stall that never ended lasts until the last event, even if the viewer left in it", async () => {
  const store = openStore();
  const state = (sn: number, sta: "p" | "r" | "q", bsd?: number) =>
    sampleEvent(sn, { e: "ps", sta, ts: 1_000 * sn, ...(bsd === undefined ? {} : { bsd }) });
  await send(store, [state(10, "r"), state(12, "p", 2_000), state(20, "r")]);
  expect(await listed(store)).toMatchObject([{ stalls: 2, stalledMs: 2_000 }]);
  await send(store, [sampleEvent(50, { e: "t", ts: 50_000 }), state(51, "q")]);
  expect(await listed(store)).toMatchObject([{ stalls: 2, stalledMs: 33_000 }]);
  await send(store, [state(60, "p", 40_000)]);
  expect(await listed(store)).toMatchObject([{ stalls: 2, stalledMs: 42_000 }]);
});

test("stalls of a player that tells no lengths last from state to state, wherever a report ends", async () => {
  const store = openStore();
  const state = (sn: number, sta: "p" | "r" | "f", bsda?: number) =>
    sampleEvent(sn, { e: "ps", sta, ts: 1_000 * sn, ...(bsda === undefined ? {} : { bsda }) });
  await send(store, [state(10, "r"), state(14, "p"), state(20, "r")]);
  await send(store, [state(22, "f")]);
  await send(store, [state(26, "p"), sampleEvent(27, { ts: 27_000 })]);
  expect(await listed(store)).toMatchObject([{ stalls: 2, stalledMs: 4_000 + 6_000 }]);
  await send(store, [state(25, "p")]);
  expect(await listed(store)).toMatchObject([{ stalls: 2, stalledMs: 4_000 + 5_000 }]);
  await send(store, [state(30, "p", 8_500)]);
  expect(await listed(store)).toMatchObject([{ stalls: 2, stalledMs: 8_500 }]);
});

test("numbers as large as may be sent can be added up, again and again", async () => {
  const store = openStore();
  const largest = { bsd: Number.MAX_SAFE_INTEGER, br: Number.MAX_SAFE_INTEGER, pb: Number.MAX_SAFE_INTEGER };
  for (const first of [0, 1000, 2000, 3000, 4000, 5000]) {
    const events = Array.from({ length: 200 }, (_, index) =>
      sampleEvent(first + index, { ...largest, e: "bc", br: index % 2 === 0 ? 0 : Number.MAX_SAFE_INTEGER }),
    );
    expect(await send(store, events)).toEqual({ accepted: 200, duplicates: 0 });
  }
  expect(await summarizeSessions(store, EVERYTHING)).toMatchObject([{ events: 1200, switches: 1199 }]);
});

test.each([
  ["of a version that kept no sums", "DROP TABLE session_sums_1"],
  [
    "whose sums are another version's",
    "COMMENT ON TABLE session_sums_1 IS 'another'; UPDATE session_sums_1 SET errors = 99, switches = 99",
  ],
  ["whose sums are not whole", "COMMENT ON TABLE session_sums_1 IS NULL; DELETE FROM session_sums_1"],
  ["that a version without sums has added to", "UPDATE session_sums_1 SET events = events - 1"],
])("a file %s has them when it is opened", async (_what, age) => {
  const directory = temporaryFolder();
  const store = openStore(directory);
  await send(store, [sampleEvent(0), sampleEvent(1, { e: "bc", br: 700 })]);
  await send(store, [sampleEvent(0, { e: "e" })], SIDS[1]);
  const before = await listed(store);
  await run(store, age);
  await store.close();
  const again = openStore(directory);
  expect(await listed(again)).toEqual(before);
  await send(again, [sampleEvent(2, { e: "bc", br: 900 })]);
  expect((await listed(again))[0]).toMatchObject({ sid: SID, events: 3, switches: 1, switchedKbps: 200 });
});

test("a file of this version has its sums as they were", async () => {
  const directory = temporaryFolder();
  const store = openStore(directory);
  await send(store, [sampleEvent(0)]);
  await run(store, "UPDATE session_sums_1 SET errors = 7");
  await store.close();
  const again = openStore(directory);
  expect(await summarizeSessions(again, EVERYTHING)).toMatchObject([{ errors: 7 }]);
});

test("a list has no more sessions than it may, the newest of them", async () => {
  const store = openStore();
  for (const sid of SIDS) await send(store, [sampleEvent(0)], sid);
  const newest = await summarizeSessions(store, { ...EVERYTHING, limit: 2 });
  expect(newest.map(({ sid }) => sid)).toEqual([SIDS[2], SIDS[1]]);
});
