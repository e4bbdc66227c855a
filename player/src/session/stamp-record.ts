import type { Phase } from "../../../cc/receiver/receiver-scheme.ts";

/** One stamp as it was received and what the receiver made of it. */
export interface StampRecord {
  /** ms of the epoch, with a fraction. */
  readonly receivedAtMs: number;
  /** This computer was late: the stamp may have come so much earlier. 0 where it was in time. */
  readonly lateMs: number;
  readonly sequence: number;
  readonly epoch: number;
  readonly phase: Phase;
  readonly sendTimeUs: number;
  readonly bytesSent: number;
  readonly packetsSent: number;
  readonly smoothedRttMs: number | null;
  readonly cwndBytes: number;
  /** D_c, as measured. */
  readonly oneWayQueueingDelayMs: number;
  /** After the filter. */
  readonly queueingDelayMs: number;
  /** The window asked for; the sender's own under a sender-side scheme. */
  readonly windowBytes: number;
  readonly endSlowStart: boolean;
  readonly bandwidthBitsPerSecond: number | null;
  readonly k: number | null;
}

const COLUMNS = 16;

/** Packs records for a transfer between threads; null travels as NaN. */
export function packStamps(records: readonly StampRecord[]): Float64Array<ArrayBuffer> {
  const packed = new Float64Array(records.length * COLUMNS);
  records.forEach((record, index) => {
    packed.set(
      [
        record.receivedAtMs,
        record.sequence,
        record.epoch,
        record.phase,
        record.sendTimeUs,
        record.bytesSent,
        record.packetsSent,
        record.smoothedRttMs ?? Number.NaN,
        record.cwndBytes,
        record.oneWayQueueingDelayMs,
        record.queueingDelayMs,
        record.windowBytes,
        record.endSlowStart ? 1 : 0,
        record.bandwidthBitsPerSecond ?? Number.NaN,
        record.k ?? Number.NaN,
        record.lateMs,
      ],
      index * COLUMNS,
    );
  });
  return packed;
}

export function unpackStamps(packed: Float64Array): StampRecord[] {
  const records: StampRecord[] = [];
  for (let at = 0; at + COLUMNS <= packed.length; at += COLUMNS) {
    const column = (offset: number): number => packed[at + offset] ?? Number.NaN;
    const orNull = (offset: number): number | null => (Number.isNaN(column(offset)) ? null : column(offset));
    records.push({
      receivedAtMs: column(0),
      sequence: column(1),
      epoch: column(2),
      phase: column(3) as Phase,
      sendTimeUs: column(4),
      bytesSent: column(5),
      packetsSent: column(6),
      smoothedRttMs: orNull(7),
      cwndBytes: column(8),
      oneWayQueueingDelayMs: column(9),
      queueingDelayMs: column(10),
      windowBytes: column(11),
      endSlowStart: column(12) === 1,
      bandwidthBitsPerSecond: orNull(13),
      k: orNull(14),
      lateMs: column(15),
    });
  }
  return records;
}

/** Stamps kept of a film: two minutes at the densest rate of a 100 Mbit/s link, forty of an ordinary film. */
const STAMP_RECORDS = 40_000;

/** The newest stamps of all sessions of a film, in one array that is made with the first: hours of film make it no larger. */
export class StampLog {
  readonly #capacity: number;
  #packed = new Float64Array();
  #isFull = false;
  /** Where the next value goes. */
  #end = 0;

  constructor(capacity = STAMP_RECORDS) {
    this.#capacity = capacity * COLUMNS;
  }

  append(packed: Float64Array): void {
    if (this.#packed.length === 0) {
      this.#packed = new Float64Array(this.#capacity);
    }
    const newest = packed.subarray(Math.max(0, packed.length - this.#packed.length));
    const untilEnd = newest.subarray(0, this.#packed.length - this.#end);
    const fromStart = newest.subarray(untilEnd.length);
    this.#packed.set(untilEnd, this.#end);
    this.#packed.set(fromStart, 0);
    this.#isFull ||= this.#end + newest.length >= this.#packed.length;
    this.#end = (this.#end + newest.length) % this.#packed.length;
  }

  records(): StampRecord[] {
    const newer = unpackStamps(this.#packed.subarray(0, this.#end));
    return this.#isFull ? [...unpackStamps(this.#packed.subarray(this.#end)), ...newer] : newer;
  }
}
