import { expect, test } from "vitest";
import { LeastLoaded } from "./least-loaded.ts";

const worker = (port: number, sessions?: number) => ({
  host: "127.0.0.1",
  port,
  certificateHashes: [],
  ...(sessions === undefined ? {} : { sessions }),
});

test("a session goes where the fewest are, and those under way count until they are told of", () => {
  const leastLoaded = new LeastLoaded();
  const workers = [worker(1, 3), worker(2, 1), worker(3, 2)];
  const portAt = (nowMs: number) => leastLoaded.choose(workers, nowMs).port;
  expect([portAt(0), portAt(0), portAt(0), portAt(0)]).toEqual([2, 2, 3, 1]);
  expect(portAt(1_499)).toBe(2);
  expect([portAt(1_500), portAt(1_500)]).toEqual([2, 3]);
});

test("workers that do not say how many they have get the same number each", () => {
  const leastLoaded = new LeastLoaded();
  const ports = [0, 1, 2, 3].map((ms) => leastLoaded.choose([worker(1), worker(2)], ms).port);
  expect(ports).toEqual([1, 2, 1, 2]);
});

test("a worker that pages do not reach is given to few of them, and tried again after a while", () => {
  const leastLoaded = new LeastLoaded();
  const sessions = new Map([1, 2].map((port) => [port, 0]));
  const givenAtMs: number[] = [];
  const comeAt = (nowMs: number, isBarred: boolean) => {
    const workers = [...sessions].map(([port, count]) => worker(port, count));
    const { port } = leastLoaded.choose(workers, nowMs);
    if (port === 2) givenAtMs.push(nowMs);
    if (port === 1 || !isBarred) sessions.set(port, (sessions.get(port) ?? 0) + 1);
  };
  for (let page = 0; page < 60; page += 1) comeAt(2_000 * page, true);
  expect(givenAtMs.length).toBeLessThan(10);
  expect(sessions.get(1)).toBeGreaterThan(50);
  for (let page = 60; page < 200; page += 1) comeAt(2_000 * page, false);
  expect([...sessions.values()]).toEqual([expect.any(Number), sessions.get(1)]);
});

test("pages that open no session keep no viewer from workers without any", () => {
  const leastLoaded = new LeastLoaded();
  const sessions = new Map([1, 2, 3].map((port) => [port, 0]));
  const choose = (nowMs: number) =>
    leastLoaded.choose(
      [...sessions].map(([port, count]) => worker(port, count)),
      nowMs,
    ).port;
  for (let page = 0; page < 30; page += 1) choose(1_000 * page);
  for (let viewer = 0; viewer < 90; viewer += 1) {
    const nowMs = 30_000 + 500 * viewer;
    const port = choose(nowMs);
    sessions.set(port, (sessions.get(port) ?? 0) + 1);
    choose(nowMs + 100); // and those go on
  }
  for (const count of sessions.values()) expect(count).toBeGreaterThan(20);
});
