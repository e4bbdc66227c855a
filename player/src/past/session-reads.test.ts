import { expect, it } from "vitest";
import { SessionReads } from "./session-reads.ts";
import type { SessionSeries } from "./session-series.ts";

interface Asked {
  readonly sid: string;
  readonly answer: (series: SessionSeries) => void;
  readonly refuse: (error: Error) => void;
}

/** Reads that are answered when a test says so, in the order in which they were asked for. */
function readsOf(): { reads: SessionReads; asked: Asked[] } {
  const asked: Asked[] = [];
  const reads = new SessionReads(
    (sid) => new Promise((answer, refuse) => asked.push({ sid, answer, refuse })),
  );
  return { reads, asked };
}

const lasting = (durationSeconds: number): SessionSeries => ({
  ...{ samples: [], stalls: [], changes: [] },
  durationSeconds,
});

it("has one side where the other cannot be read, and says why", async () => {
  const { reads, asked } = readsOf();
  const [left, right] = [reads.read("left", "a"), reads.read("right", "b")];
  asked[0]?.refuse(new Error("The server answered 500."));
  asked[1]?.answer(lasting(7));
  expect(await Promise.all([left, right])).toEqual(["The server answered 500.", null]);
  expect(reads.series).toEqual({ left: null, right: lasting(7) });
});

it("keeps a failure to itself that comes after another session was chosen", async () => {
  const { reads, asked } = readsOf();
  const [older, newer] = [reads.read("left", "a"), reads.read("left", "b")];
  asked[1]?.answer(lasting(7));
  asked[0]?.refuse(new Error("The server answered 500."));
  expect(await Promise.all([older, newer])).toEqual([null, null]);
  expect(reads.series.left).toEqual(lasting(7));
});

it("drops a session that comes after another was chosen, also after one that cannot be read", async () => {
  const { reads, asked } = readsOf();
  const [older, newer] = [reads.read("left", "a"), reads.read("left", "b")];
  asked[1]?.refuse(new Error("The server answered 404."));
  asked[0]?.answer(lasting(7));
  expect(await Promise.all([older, newer])).toEqual([null, "The server answered 404."]);
  expect(reads.series.left).toBeNull();
});

it("goes by the last time that the same session was asked for", async () => {
  const { reads, asked } = readsOf();
  const [older, newer] = [reads.read("left", "a"), reads.read("left", "a")];
  asked[1]?.answer(lasting(8));
  asked[0]?.answer(lasting(7));
  await Promise.all([older, newer]);
  expect(reads.series.left).toEqual(lasting(8));
});

it("takes what could not be read for nothing, not for what was there before", async () => {
  const { reads, asked } = readsOf();
  const first = reads.read("left", "a");
  asked[0]?.answer(lasting(7));
  await first;
  const second = reads.read("left", "b");
  expect(reads.series.left).toBeNull();
  asked[1]?.refuse(new Error("The server does not answer."));
  expect(await second).toBe("The server does not answer.");
  expect(reads.series.left).toBeNull();
});
