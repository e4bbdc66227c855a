import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { RunError } from "./result.ts";
import { sampleFlow, samplePlan } from "./samples.ts";
import { readAnswer, simulationRequest } from "./simulation.ts";

/** What `nuwa simulate -` said of two flows in one second over 2 Mbit/s. */
const RECORDED = fileURLToPath(new URL("testdata/answer.json", import.meta.url));

test("a request says all there is to say, with the run's own stretch of the trace", () => {
  const flow = sampleFlow({
    startSeconds: 0.5,
    extraRttMs: 40,
    source: { kind: "on-off", onBytes: 500, offSeconds: 2 },
  });
  const link = { ...samplePlan().link, startMs: 3, lossRatio: 0.01, queuePackets: null };
  const plan = samplePlan({ durationSeconds: 0.01, link, arm: { name: "one", flows: [flow] }, seed: 4 });
  const traces = { opportunitiesMs: [2, 5], returnOpportunitiesMs: [1, 4] };
  expect(JSON.parse(simulationRequest("key", plan, traces))).toEqual({
    id: "key",
    link: {
      opportunities_ms: [2, 4, 7, 9, 11],
      ...{ return_opportunities_ms: [1, 2, 5, 6, 9, 10, 11], clock: "mahimahi" },
      queue: { discipline: "droptail", packets: null, wire_bytes: null },
      ...{ delay_ms: 20, return_delay_ms: 20, loss_ratio: 0.01 },
    },
    flows: [
      {
        ...{ scheme: "cubic", preset: "on-demand", start_s: 0.5, stop_s: null, extra_delay_ms: 40 },
        source: { kind: "on-off", on_bytes: 500, off_s: 2 },
      },
    ],
    ...{ duration_s: 0.01, seed: 4, interval_s: 0.1, options: { ack: "chromium" }, packet_bytes: 1200 },
  });
});

test("a recorded answer is read", async () => {
  const result = readAnswer(await readFile(RECORDED, "utf8"), "recorded");
  const [cubic, nuwa] = result.flows;
  expect(cubic).toMatchObject({ scheme: "cubic", packetsSent: 270, packetsLost: 0, spuriousLosses: 0 });
  expect(cubic?.queueingDelay?.p95Ms).toBeCloseTo(346, 6);
  expect(nuwa).toMatchObject({ scheme: "nuwa", goodputBitsPerSecond: 192_000 });
  expect(result.link).toMatchObject({ capacityBitsPerSecond: 1_997_312, dropped: 0 });
  expect(result.link.queueingDelay?.meanMs).toBeCloseTo(197.577, 3);
  const { timeSeconds, capacityBitsPerSecond, flows } = result.intervals;
  expect([timeSeconds.length, timeSeconds[0], timeSeconds[9]]).toEqual([10, 0, 0.9]);
  expect(capacityBitsPerSecond).toHaveLength(10);
  expect(flows[1]?.queueingDelayMeanMs.slice(6, 8)).toEqual([null, 292.00000000000006]);
});

test("a learned scheme's decisions are read, and one whose policy never answered fails", async () => {
  const answer = JSON.parse(await readFile(RECORDED, "utf8")) as { flows: Record<string, unknown>[] };
  const decide = (decisions: Record<string, number>) => {
    const [first, ...others] = answer.flows;
    const flows = [{ ...first, scheme: "owl", decisions }, ...others];
    return readAnswer(JSON.stringify({ ...answer, flows }), "recorded");
  };
  expect(decide({ asked: 10, answered: 9, late: 0, failed: 1 }).decisions).toEqual([
    { scheme: "owl", isLoaded: true, decisions: 10, answered: 9, late: 0, failed: 1 },
  ]);
  expect(() => decide({ asked: 10, answered: 0, late: 0, failed: 10 })).toThrow(
    "owl answered 0 of 10 decisions: 0 late, 10 failed",
  );
});

test("a scheme that failed is named, with its state", () => {
  const error = { scheme: "bbr", message: "window of -1 bytes", state: { cwnd_bytes: -1 } };
  try {
    readAnswer(JSON.stringify({ id: "key", error }), "key");
    expect.unreachable();
  } catch (caught) {
    expect(caught).toBeInstanceOf(RunError);
    expect((caught as RunError).failure).toEqual(error);
  }
});

test("an answer to something else, or none, is a failure", () => {
  expect(() => readAnswer('{"id":"other"}', "key")).toThrow("the simulation answered other, not key");
  expect(() => readAnswer("Traceback", "key")).toThrow(
    'the simulation answered "Traceback", which is no JSON',
  );
});
