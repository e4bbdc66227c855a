import { Registry } from "prom-client";
import type { TelemetryEvent } from "../../player/src/telemetry/vocabulary.ts";
import type { Log } from "../log.ts";
import { TelemetryMetrics } from "./metrics.ts";
import { TelemetryStore } from "./store.ts";

/** The store and what is counted of it: all that the routes need. */
export interface Telemetry {
  readonly store: TelemetryStore;
  readonly metrics: TelemetryMetrics;
  readonly log: Log;
}

export interface TelemetryOptions {
  /** Where its metrics are told; absent: nowhere. */
  readonly registry?: Registry;
  /** Since the first batch of a session came; null or absent: for as long as there is room. */
  readonly maxAgeMs?: number | null;
}

/** @param directory absolute; made when first needed */
export function createTelemetry(
  directory: string,
  log: Log,
  { registry = new Registry(), maxAgeMs = null }: TelemetryOptions = {},
): Telemetry {
  const metrics = new TelemetryMetrics(registry);
  const onCommit = (seconds: number) => metrics.commitSeconds.observe(seconds);
  const onStored = (events: readonly TelemetryEvent[]) => metrics.countPaths(events);
  const store = new TelemetryStore({ directory, log, maxAgeMs, onCommit, onStored });
  metrics.watch(store);
  return { store, metrics, log };
}
