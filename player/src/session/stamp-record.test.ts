import { describe, expect, it } from "vitest";
import { packStamps, StampLog, type StampRecord, unpackStamps } from "./stamp-record.ts";

function record(sequence: number, changes: Partial<StampRecord> = {}): StampRecord {
  return {
    receivedAtMs: 1_764_000_000_000.125,
    lateMs: 57.5,
    sequence,
    epoch: 3,
    phase: 1,
    sendTimeUs: 123_456_789_012,
    bytesSent: 30_000_000,
    packetsSent: 25_001,
    smoothedRttMs: 41.25,
    cwndBytes: 138_000,
    oneWayQueueingDelayMs: 15.5,
    queueingDelayMs: 14.5,
    windowBytes: 120_000,
    endSlowStart: true,
    bandwidthBitsPerSecond: 24_000_000,
    k: 7,
    ...changes,
  };
}

describe("stamp records", () => {
  it("come out of the pack as they went in, unset values included", () => {
    const records = [record(0), record(1, { smoothedRttMs: null, bandwidthBitsPerSecond: null, k: null })];
    expect(unpackStamps(packStamps(records))).toEqual(records);
  });

  it("keeps the newest up to its capacity", () => {
    const log = new StampLog(4);
    expect(log.records()).toEqual([]);
    for (const first of [0, 2, 4]) {
      log.append(packStamps([record(first), record(first + 1)]));
    }
    expect(log.records().map(({ sequence }) => sequence)).toEqual([2, 3, 4, 5]);
  });

  it("keeps them in order where a batch goes over the end of the log, or is longer than it", () => {
    const log = new StampLog(4);
    const batch = (first: number, count: number): Float64Array =>
      packStamps(Array.from({ length: count }, (_, index) => record(first + index)));
    const sequences = (): number[] => log.records().map(({ sequence }) => sequence);
    log.append(batch(0, 3));
    expect(sequences()).toEqual([0, 1, 2]);
    log.append(batch(3, 3));
    expect(sequences()).toEqual([2, 3, 4, 5]);
    log.append(batch(6, 2));
    expect(sequences()).toEqual([4, 5, 6, 7]);
    log.append(batch(8, 9));
    expect(sequences()).toEqual([13, 14, 15, 16]);
    log.append(batch(17, 0));
    expect(sequences()).toEqual([13, 14, 15, 16]);
  });
});
