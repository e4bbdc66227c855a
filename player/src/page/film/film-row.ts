import type { FilmColumn } from "../../charts/film-charts.ts";
import type { Value } from "../../charts/table.ts";
import { capacityOf } from "../link/link-capacity.ts";
import type { Snapshot } from "../nuwa-stream.ts";

/** What the charts draw of a moment, in their units: Mbit/s, ms, kB, s. `before` is the moment that was drawn last. */
export function filmRow(snapshot: Snapshot, before: Snapshot | null): Record<FilmColumn, Value> {
  const { estimate } = snapshot;
  const last = before?.estimate ?? null;
  return {
    capacity: scaled(capacityOf(snapshot), 1e-6),
    delivered: scaled(estimate?.deliveredBitsPerSecond, 1e-6),
    receiver: scaled(estimate?.bandwidthBitsPerSecond, 1e-6),
    receiverStale: flag(estimate?.bandwidthBitsPerSecond === last?.bandwidthBitsPerSecond),
    dashjs: scaled(snapshot.dashjsBitsPerSecond, 1e-6),
    wanted: scaled(estimate?.wantedBitsPerSecond, 1e-6),
    delay: scaled(estimate?.queueingDelaySeconds, 1e3),
    delayStale: flag(estimate?.stampsReceived === last?.stampsReceived),
    target: scaled(estimate?.targetDelaySeconds, 1e3),
    windowAsked: scaled(estimate?.windowBytes, 1e-3),
    windowInForce: scaled(estimate?.cwndBytes, 1e-3),
    k: estimate?.k ?? null,
    buffer: snapshot.firstFrameAtMs === null ? null : snapshot.bufferSeconds,
    bitrate: scaled(snapshot.playedBitsPerSecond, 1e-6),
  };
}

const flag = (isSo: boolean): Value => (isSo ? 1 : 0);

const scaled = (value: number | null | undefined, factor: number): Value =>
  value == null ? null : value * factor;
