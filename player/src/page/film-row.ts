import type { FilmColumn } from "../charts/film-charts.ts";
import type { Value } from "../charts/timeline.ts";
import { capacityAt } from "./link-capacity.ts";
import type { Snapshot } from "./nuwa-stream.ts";

/** What the charts draw of a moment, in their units: Mbit/s, ms, kB, s. */
export function filmRow(snapshot: Snapshot): Record<FilmColumn, Value> {
  const { estimate, link, atMs } = snapshot;
  return {
    capacity: scaled(capacityAt(link, atMs), 1e-6),
    delivered: scaled(estimate?.deliveredBitsPerSecond, 1e-6),
    receiver: scaled(estimate?.bandwidthBitsPerSecond, 1e-6),
    dashjs: scaled(snapshot.dashjsBitsPerSecond, 1e-6),
    delay: scaled(estimate?.queueingDelaySeconds, 1e3),
    target: scaled(estimate?.targetDelaySeconds, 1e3),
    windowAsked: scaled(estimate?.windowBytes, 1e-3),
    windowInForce: scaled(estimate?.cwndBytes, 1e-3),
    k: estimate?.k ?? null,
    buffer: snapshot.firstFrameAtMs === null ? null : snapshot.bufferSeconds,
    bitrate: scaled(snapshot.playedBitsPerSecond, 1e-6),
  };
}

const scaled = (value: number | null | undefined, factor: number): Value =>
  value == null ? null : value * factor;
