import type { Log } from "../log.ts";
import { TelemetryMetrics } from "./metrics.ts";
import { TelemetryStore } from "./store.ts";

/** The store and what is counted of it: all that the routes need. */
export interface Telemetry {
  readonly store: TelemetryStore;
  readonly metrics: TelemetryMetrics;
  readonly log: Log;
}

/** @param directory absolute; made when first needed */
export function createTelemetry(directory: string, log: Log): Telemetry {
  const metrics = new TelemetryMetrics();
  const onCommit = (seconds: number) => metrics.commitSeconds.observe(seconds);
  const store = new TelemetryStore({ directory, log, onCommit });
  metrics.watch(store);
  return { store, metrics, log };
}
