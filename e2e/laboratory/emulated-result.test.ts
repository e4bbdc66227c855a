import { expect, test } from "vitest";
import { parseLinkLog } from "../browser/link/log.ts";
import { emulatedResult } from "./emulated-result.ts";
import type { ReceiverReport } from "./receiver.ts";
import { sampleFlow, samplePlan } from "./samples.ts";

const INIT_MS = 1_795_255_475_000;
const ZERO_MS = INIT_MS + 1000;

/** Half a second: an opportunity every 10 ms, a packet in every other, which has waited 4 ms, or 14 in the second half. */
function log() {
  const lines = [
    "# queue: droptail [packets=300]",
    `# init timestamp: ${INIT_MS}`,
    "# base timestamp: 0",
    "900 d 1 1232",
  ];
  for (let atMs = 1000; atMs < 1500; atMs += 10) {
    lines.push(`${atMs} # 1504`);
    if (atMs % 20 === 0) lines.push(`${atMs} - 1232 ${atMs < 1250 ? 4 : 14}`);
  }
  return parseLinkLog(`${lines.join("\n")}\n1490 d 1 1232\n1495 d 1 1232\n`);
}

/** What a receiver says that was there for `count` intervals. */
function report(count: number): ReceiverReport {
  const all = <Value>(value: Value): Value[] => new Array<Value>(count).fill(value);
  return {
    ...{ seconds: count / 10, received_bytes: 1000 * count, began_at_s: ZERO_MS / 1000 },
    ...{
      queueing_delay_mean_s: 0.01,
      queueing_delay_p50_s: 0.009,
      queueing_delay_p95_s: 0.02,
      queueing_delay_max_s: 0.03,
    },
    ...{ loss_ratio: 0.05, packets_sent: 200, rtt_mean_s: 0.05, policy: null },
    intervals: {
      ...{ received_bytes: all(1000), payload_bytes: all(1200), datagrams: all(2) },
      ...{ queueing_delay_mean_s: all(0.01), queueing_delay_p95_s: all(0.02), cwnd_bytes: all(12_000) },
    },
  };
}

const PLAN = samplePlan({ place: "relay", durationSeconds: 0.5 });

test("a single flow's delays are those of the link's log", () => {
  const result = emulatedResult({
    plan: PLAN,
    reports: [report(5)],
    log: log(),
    zeroMs: ZERO_MS,
    serverCpuShare: 0.2,
    serverPolicies: [],
  });
  // 50 opportunities of 1504 bytes and 25 packets of 1232 in half a second; drops before the run do not count
  expect(result.link).toEqual({
    ...{ capacityBitsPerSecond: 1_203_200, throughputBitsPerSecond: 492_800, dropped: 2, lost: null },
    queueingDelay: result.flows[0]?.queueingDelay,
  });
  // 13 packets of 4 ms, 12 of 14: mean 8.8
  expect(result.flows[0]?.queueingDelay).toMatchObject({ p50Ms: 4, p95Ms: 14, maxMs: 14 });
  expect(result.flows[0]?.queueingDelay?.meanMs).toBeCloseTo(8.8, 9);
  // 1200 bytes of payload and 2 * 32 of headers in each tenth of a second
  expect(result.flows[0]?.throughputBitsPerSecond).toBeCloseTo(8 * 12_640, 6);
  expect(result.flows[0]).toMatchObject({
    goodputBitsPerSecond: 80_000,
    packetsSent: 200,
    packetsLost: 2, // as the log has it
    rttMeanMs: 50,
  });
  const { timeSeconds, capacityBitsPerSecond, flows } = result.intervals;
  expect(timeSeconds).toEqual([0, 0.1, 0.2, 0.3, 0.4]);
  expect(capacityBitsPerSecond).toEqual([1_203_200, 1_203_200, 1_203_200, 1_203_200, 1_203_200]);
  // the third interval has 3 packets of 4 ms and 2 of 14
  expect(flows[0]?.queueingDelayMeanMs).toEqual([4, 4, 8, 14, 14]);
  expect(result.serverCpuShare).toBe(0.2);
});

test("of several flows each has what its receiver measured, from when it began", () => {
  const flows = [sampleFlow(), sampleFlow({ scheme: "nuwa", startSeconds: 0.2, stopSeconds: 0.4 })];
  const plan = { ...PLAN, arm: { name: "two", flows } };
  const decisions = { is_loaded: true, decisions: 20, answered: 18, late: 1, failed: 1 };
  const reports = [report(5), { ...report(2), policy: { scheme: "nuwa", ...decisions } }];
  const result = emulatedResult({
    plan,
    reports,
    log: log(),
    zeroMs: ZERO_MS,
    serverCpuShare: null,
    serverPolicies: [{ scheme: "cubic", ...decisions }],
  });
  const counts = { isLoaded: true, decisions: 20, answered: 18, late: 1, failed: 1 };
  expect(result.decisions).toEqual([
    { scheme: "nuwa", ...counts },
    { scheme: "cubic", ...counts },
  ]);
  expect(result.flows[1]).toMatchObject({
    scheme: "nuwa",
    packetsLost: 10,
    queueingDelay: { meanMs: 10, p50Ms: 9, p95Ms: 20, maxMs: 30 },
  });
  // while the link's log has the packets of both
  expect(result.link.queueingDelay).toMatchObject({ p50Ms: 4, p95Ms: 14, maxMs: 14 });
  expect(result.intervals.flows[1]).toMatchObject({
    deliveredBitsPerSecond: [0, 0, 101_120, 101_120, 0],
    queueingDelayMeanMs: [null, null, 10, 10, null],
    cwndBytes: [null, null, 12_000, 12_000, null],
  });
});
