import { expect, test } from "vitest";
import { type LinkEvent, LinkLogError, parseLinkLog, parseLogHeader } from "./log.ts";
import { meanInBins, measureLink, payloadShare, rateInBins } from "./metrics.ts";
import VECTORS from "./testdata/link-logs.json" with { type: "json" };

/** The Python reader in e2e/laboratory is held to the same. */
const LOG = `${VECTORS.log.join("\n")}\n`;

test.each(VECTORS.cases)("$name", ({ lines, cut_off = "", opportunities_ms, departures, drops }) => {
  const log = parseLinkLog(`${[LOG, ...lines.map((line) => `${line}\n`)].join("")}${cut_off}`);
  expect(log.startedAtMs).toBe(VECTORS.init_ms);
  const since = ({ atMs }: LinkEvent) => atMs - VECTORS.init_ms;
  expect(log.opportunities.map(since)).toEqual(opportunities_ms);
  expect(log.departures.map((event) => [since(event), event.bytes, event.queueingDelayMs])).toEqual(
    departures,
  );
  expect(log.drops.map((event) => [since(event), event.bytes])).toEqual(drops);
});

test.each(VECTORS.odd_lines)("%s is no event", (line) => {
  expect(() => parseLinkLog(`${LOG}${line}\n`)).toThrow(
    new LinkLogError(`the link's log, line ${VECTORS.log.length + 1}: "${line}" is no event`),
  );
});

test("the header says when the log and the trace began", () => {
  expect(parseLogHeader(LOG)).toEqual({
    startedAtMs: VECTORS.init_ms,
    traceBeganMs: VECTORS.trace_begins_ms,
  });
  expect(() => parseLinkLog("38 # 1504\n")).toThrow(LinkLogError);
});

test("a window's capacity, throughput and delays", () => {
  const { from_ms, to_ms, delay_ms, dropped, ...rates } = VECTORS.window;
  const window = { fromMs: VECTORS.init_ms + from_ms, toMs: VECTORS.init_ms + to_ms };
  const metrics = measureLink(parseLinkLog(LOG), window);
  // Three opportunities of 1504 bytes, departures of 1232, 1232 and 84 bytes in 20 ms; delays 2, 6 and 2
  expect(metrics.capacityBitsPerSecond).toBeCloseTo(rates.capacity_bits_per_s, 6);
  expect(metrics.throughputBitsPerSecond).toBeCloseTo(rates.throughput_bits_per_s, 6);
  expect(metrics.utilisation).toBeCloseTo(1_019_200 / 1_804_800, 12);
  expect(metrics.queueingDelayMeanMs).toBeCloseTo(delay_ms.mean, 12);
  expect(metrics).toMatchObject({
    queueingDelayP50Ms: delay_ms.p50,
    queueingDelayMaxMs: delay_ms.max,
    departedPackets: 3,
    droppedPackets: dropped,
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
