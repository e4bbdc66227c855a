/** A session as qlog, as its receiver saw it (transport/wire_format/QLOG.md). Pure. */

import type { StallRecord, SwitchRecord } from "../dash/play-log.ts";
import type { StampRecord } from "../session/stamp-record.ts";
import type { SessionChange } from "./session-rows.ts";

export interface QlogEvent {
  readonly time: number;
  readonly name: string;
  readonly data: Readonly<Record<string, string | number | boolean>>;
}

export interface QlogSession {
  readonly title: string;
  readonly stamps: readonly StampRecord[];
  readonly switches: readonly SwitchRecord[];
  readonly stalls: readonly StallRecord[];
  readonly changes: readonly SessionChange[];
  /** The target that was held at a moment; null where none was. */
  readonly targetDelayMsAt: (atMs: number) => number | null;
}

const PHASES = ["slow_start", "avoidance", "recovery"] as const;
/** RFC 7464. */
const RECORD_SEPARATOR = "\u001e";

export function sessionQlog(session: QlogSession): string {
  const events = [
    ...session.changes.map(ofChange),
    ...session.stamps.flatMap((stamp) => ofStamp(stamp, session.targetDelayMsAt(stamp.receivedAtMs))),
    ...session.switches.map(ofSwitch),
    ...session.stalls.map(ofStall),
  ].sort((one, other) => one.time - other.time);
  return [headOf(session.title), ...events]
    .map((text) => `${RECORD_SEPARATOR}${JSON.stringify(text)}\n`)
    .join("");
}

export function headOf(title: string): object {
  return {
    file_schema: "urn:ietf:params:qlog:file:sequential",
    serialization_format: "application/qlog+json-seq",
    qlog_version: "0.3",
    qlog_format: "JSON-SEQ",
    trace: {
      title,
      event_schemas: ["urn:ietf:params:qlog:events:quic", "urn:nuwa-stream:qlog:events:nuwa-1"],
      common_fields: {
        time_format: "relative_to_epoch",
        reference_time: { clock_type: "system", epoch: "1970-01-01T00:00:00.000Z" },
      },
      vantage_point: { type: "client" },
    },
  };
}

/** A stamp, and what the receiver made of it. */
export function ofStamp(stamp: StampRecord, targetDelayMs: number | null): QlogEvent[] {
  const time = rounded(stamp.receivedAtMs);
  const sender = known({ smoothed_rtt: stamp.smoothedRttMs, congestion_window: stamp.cwndBytes });
  const receiver = known({
    sequence: stamp.sequence,
    epoch: stamp.epoch,
    phase: PHASES[stamp.phase],
    measured_queueing_delay_ms: rounded(stamp.oneWayQueueingDelayMs),
    queueing_delay_ms: rounded(stamp.queueingDelayMs),
    target_delay_ms: targetDelayMs,
    bandwidth_bits_per_s: stamp.bandwidthBitsPerSecond,
    window_bytes: stamp.windowBytes,
    end_slow_start: stamp.endSlowStart,
    k: stamp.k,
    late_ms: rounded(stamp.lateMs),
  });
  return [
    { time, name: "nuwa:receiver_updated", data: receiver },
    { time, name: "recovery:metrics_updated", data: sender },
  ];
}

export function ofChange({ atMs, scheme, preset, rule, link }: SessionChange): QlogEvent {
  return { time: rounded(atMs), name: "nuwa:choice_changed", data: known({ scheme, preset, rule, link }) };
}

export function ofSwitch(record: SwitchRecord): QlogEvent {
  const data = known({
    from_bits_per_s: record.fromBitsPerSecond,
    to_bits_per_s: record.toBitsPerSecond,
    decided_by: record.decidedBy,
  });
  return { time: rounded(record.atMs), name: "nuwa:representation_switched", data };
}

export function ofStall({ startedAtMs, durationMs }: StallRecord): QlogEvent {
  const data = { duration_ms: rounded(durationMs) };
  return { time: rounded(startedAtMs + durationMs), name: "nuwa:stall_ended", data };
}

/** What is not known is left out. */
function known(
  data: Readonly<Record<string, string | number | boolean | null | undefined>>,
): Record<string, string | number | boolean> {
  const isKnown = (entry: [string, unknown]): entry is [string, string | number | boolean] =>
    entry[1] != null;
  return Object.fromEntries(Object.entries(data).filter(isKnown));
}

/** To a microsecond. */
const rounded = (milliseconds: number): number => Math.round(1000 * milliseconds) / 1000;
