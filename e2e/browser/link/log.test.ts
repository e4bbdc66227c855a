import { expect, test } from "vitest";
import { LinkLogError, parseLinkLog } from "./log.ts";
import { meanInBins, measureLink, payloadShare, rateInBins } from "./metrics.ts";

// Header as mahimahi 0.98-1.1 writes it. A queue of two packets: the third arrival of ms 40 finds it full.
const LOG = `# mahimahi mm-link (Downlink) [down.trace] > down.log
# command line: 'mm-link' 'up.trace' 'down.trace'
# queue: droptail [packets=2]
# init timestamp: 1795255475000
# base timestamp: 37
# mahimahi config: [delay 20 ms]
38 # 1504
40 + 1232
40 + 1232
40 + 1232
42 # 1504
42 - 1232 2
46 # 1504
46 - 1232 6
50 + 84
52 # 1504
52 - 84 2
60 + 84
`;

test("events are read with epoch times from the header's init timestamp", () => {
  const log = parseLinkLog(LOG);
  expect(log.startedAtMs).toBe(1_795_255_475_000);
  expect(log.opportunities).toHaveLength(4);
  expect(log.departures).toEqual([
    { atMs: 1_795_255_475_042, bytes: 1232, queueingDelayMs: 2 },
    { atMs: 1_795_255_475_046, bytes: 1232, queueingDelayMs: 6 },
    { atMs: 1_795_255_475_052, bytes: 84, queueingDelayMs: 2 },
  ]);
});

test("a packet that never departed was dropped, unless it may still be queued", () => {
  expect(parseLinkLog(LOG).drops).toEqual([{ atMs: 1_795_255_475_040, bytes: 1232 }]);
});

test("an opportunity that nothing used shows that the queue was empty", () => {
  const drops = parseLinkLog(`${LOG}64 # 1504\n`).drops;
  expect(drops.map((drop) => drop.atMs - 1_795_255_475_000)).toEqual([40, 60]);
});

test("logged drops are taken as they are", () => {
  const log = parseLinkLog(`${LOG}61 d 2 2464\n`);
  expect(log.drops).toEqual([
    { atMs: 1_795_255_475_061, bytes: 1232 },
    { atMs: 1_795_255_475_061, bytes: 1232 },
  ]);
});

test("a last line cut off in writing is left out, any other odd line is an error", () => {
  expect(parseLinkLog(`${LOG}62 - 1`).departures).toHaveLength(3);
  expect(() => parseLinkLog(`${LOG}62 ? 1\n`)).toThrow(LinkLogError);
  expect(() => parseLinkLog("38 # 1504\n")).toThrow(LinkLogError);
});

test("a window's capacity, throughput and delays", () => {
  const from = 1_795_255_475_040;
  const metrics = measureLink(parseLinkLog(LOG), { fromMs: from, toMs: from + 10 });
  // Two opportunities of 1504 bytes and two departures of 1232 bytes in 10 ms; delays 2 and 6
  expect(metrics.capacityBitsPerSecond).toBeCloseTo(2_406_400, 6);
  expect(metrics.throughputBitsPerSecond).toBeCloseTo(1_971_200, 6);
  expect(metrics.utilisation).toBeCloseTo(1232 / 1504, 12);
  expect(metrics).toMatchObject({
    queueingDelayMeanMs: 4,
    queueingDelayP50Ms: 4,
    queueingDelayMaxMs: 6,
    departedPackets: 2,
    droppedPackets: 1,
  });
});

test("bins", () => {
  const log = parseLinkLog(LOG);
  const from = 1_795_255_475_040;
  const window = { fromMs: from, toMs: from + 25 };
  // ms 40-49: two opportunities, 50-59: one; the five milliseconds after are no whole bin
  expect(rateInBins(log.opportunities, window, 10)).toEqual([2_406_400, 1_203_200]);
  const samples = log.departures.map(({ atMs, queueingDelayMs }) => ({ atMs, value: queueingDelayMs }));
  expect(meanInBins(samples, { fromMs: from, toMs: from + 30 }, 10)).toEqual([4, 2, null]);
});

test("a full packet of 1200 bytes of UDP payload takes 1232 of the link", () => {
  expect(payloadShare(parseLinkLog(LOG))).toBeCloseTo(1200 / 1232, 12);
});
