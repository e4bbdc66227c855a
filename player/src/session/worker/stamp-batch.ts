import { packStamps, type StampRecord } from "../stamp-record.ts";
import { microsecondsOf } from "../wire/big-endian.ts";
import type { ReceivedStamp } from "./measurements.ts";

/** Stamps that wait to be told to the page. */
export class StampBatch {
  #records: StampRecord[] = [];

  add(received: ReceivedStamp): void {
    this.#records.push(recordOf(received));
  }

  /** All that have waited, as `packStamps` makes them. */
  take(): Float64Array<ArrayBuffer> {
    const packed = packStamps(this.#records);
    this.#records = [];
    return packed;
  }
}

function recordOf({ stamp, receivedAtMs, lateMs, state, endSlowStart }: ReceivedStamp): StampRecord {
  return {
    receivedAtMs,
    lateMs,
    sequence: stamp.sequence,
    epoch: stamp.epoch,
    phase: stamp.phase,
    sendTimeUs: microsecondsOf(stamp.sendTimeSeconds),
    bytesSent: stamp.bytesSent,
    packetsSent: stamp.packetsSent,
    smoothedRttMs: stamp.smoothedRttSeconds === null ? null : microsecondsOf(stamp.smoothedRttSeconds) / 1000,
    cwndBytes: stamp.cwndBytes,
    oneWayQueueingDelayMs: state.rawQueueingDelaySeconds * 1000,
    queueingDelayMs: state.queueingDelaySeconds * 1000,
    windowBytes: state.windowBytes ?? stamp.cwndBytes,
    endSlowStart,
    bandwidthBitsPerSecond: state.bandwidthBitsPerSecond,
    k: state.k,
  };
}
