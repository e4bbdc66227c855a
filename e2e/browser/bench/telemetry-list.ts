/** What a list of sessions takes where a hundred times as many events are stored. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TelemetryBatch, TelemetryEvent } from "../../../player/src/telemetry/vocabulary.ts";
import type { TelemetryStore } from "../../../server/telemetry/store.ts";
import { median } from "../statistics.ts";
import type { BenchContext, Figure } from "./benchmark.ts";
import { atMost, medianFigure, ratios } from "./figures.ts";

const FEW_EVENTS = 10_000;
const MANY_EVENTS = 1_000_000;
const SESSION_EVENTS = 1000;
const BATCH_EVENTS = 200;
/** Of sessions, on a page of them. */
const LIMIT = 10;
/** In a repeat, of which the median counts. */
const LISTS = 21;

export async function run({ options: { repeats, control } }: BenchContext): Promise<Figure[]> {
  const few = await filledStore(FEW_EVENTS, control.onProgress);
  const many = await filledStore(MANY_EVENTS, control.onProgress);
  const samples = { few: [] as number[], many: [] as number[], byEvents: [] as number[] };
  try {
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      samples.few.push(await listMs(few.store, LISTS));
      samples.many.push(await listMs(many.store, LISTS));
      samples.byEvents.push(await listMs(many.store, 1, true));
    }
  } finally {
    for (const { store, directory } of [few, many]) {
      await store.close();
      await rm(directory, { recursive: true });
    }
  }
  const what = `list of ${LIMIT} sessions`;
  const ratio = `${what}: ${MANY_EVENTS} events stored / ${FEW_EVENTS}`;
  const reach = atMost(2);
  return [
    medianFigure(ratio, ratios(samples.many, samples.few), "x the time", reach),
    medianFigure(`${what}: ${FEW_EVENTS} events stored`, samples.few, "ms"),
    medianFigure(`${what}: ${MANY_EVENTS} events stored`, samples.many, "ms"),
    medianFigure("the same where sums are made of all events", samples.byEvents, "ms"),
  ];
}

interface Filled {
  readonly store: TelemetryStore;
  readonly directory: string;
}

/** Filled as a server is, batch by batch. */
async function filledStore(eventCount: number, onProgress?: (line: string) => void): Promise<Filled> {
  const { TelemetryStore } = await import("../../../server/telemetry/store.ts"); // takes long: the help does without
  const { createLog } = await import("../../../server/log.ts");
  const directory = await mkdtemp(join(tmpdir(), "nuwa-telemetry-list-"));
  const log = createLog("info", (line) => onProgress?.(line));
  const store = new TelemetryStore({ directory, log });
  const startedAtMs = performance.now();
  for (let first = 0; first < eventCount; first += SESSION_EVENTS) await sendSession(store, first);
  const perSecond = Math.round(eventCount / ((performance.now() - startedAtMs) / 1000));
  onProgress?.(`${eventCount} events stored, ${perSecond} a second`);
  return { store, directory };
}

async function sendSession(store: TelemetryStore, startTs: number): Promise<void> {
  const sid = crypto.randomUUID();
  const sends = [];
  for (let first = 0; first < SESSION_EVENTS; first += BATCH_EVENTS) {
    const events = Array.from({ length: BATCH_EVENTS }, (_, index) => eventOf(first + index, startTs));
    const batch: TelemetryBatch = { schema: 1, v: 2, cid: "film", sf: "d", st: "v", dropped: 0, events };
    sends.push(store.accept({ sid, batch }));
  }
  await Promise.all(sends);
}

function eventOf(sn: number, startTs: number): TelemetryEvent {
  const base = { sn, ts: 1_700_000_000_000 + startTs + sn, br: 1000 + (sn % 7) * 400 };
  if (sn % 20 === 0) return { ...base, e: "bc" };
  return {
    ...base,
    e: "t",
    sta: "p",
    bl: 8000,
    pb: base.br,
    pt: sn * 1000,
    "nuwa-bw": 9000,
    "nuwa-qd": sn % 40,
  };
}

async function listMs(store: TelemetryStore, lists: number, readsEvents = false): Promise<number> {
  const { readSummaries, summarizeSessions } = await import("../../../server/telemetry/summary.ts");
  const { sumsOf } = await import("../../../server/telemetry/sums.ts");
  const times = [];
  for (let list = 0; list < lists; list += 1) {
    const startedAtMs = performance.now();
    if (readsEvents) await readSummaries(store, sumsOf("SELECT * FROM events"), LIMIT);
    else await summarizeSessions(store, { sid: null, fromMs: 0, toMs: 8.64e15, limit: LIMIT });
    times.push(performance.now() - startedAtMs);
  }
  return median(times) ?? Number.NaN;
}
