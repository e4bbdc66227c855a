import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { TelemetryEvent } from "../../player/src/telemetry/vocabulary.ts";
import { StorageProblem } from "./storage-problem.ts";
import type { TelemetryStore } from "./store.ts";

/** From a fast disk to one that does not answer. */
const COMMIT_BUCKETS_SECONDS = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5];

/** What Prometheus reads of telemetry. */
export class TelemetryMetrics {
  readonly events: Counter<"outcome">;
  readonly refusals: Counter<"status">;
  readonly paths: Counter<"path">;
  readonly cmcdLeftOut: Counter<"key">;
  readonly commitSeconds: Histogram;
  readonly #registers: Registry[];

  constructor(registry: Registry) {
    const registers = [registry];
    this.#registers = registers;
    this.events = new Counter({
      name: "nuwa_telemetry_events_total",
      help: "Events by what became of them",
      labelNames: ["outcome"] as const,
      registers,
    });
    this.refusals = new Counter({
      name: "nuwa_telemetry_requests_refused_total",
      help: "Telemetry requests that were not accepted, by status",
      labelNames: ["status"] as const,
      registers,
    });
    this.paths = new Counter({
      name: "nuwa_telemetry_paths_total",
      help: "Ways that pages say their segments take, at each change: http where a viewer fell back to it",
      labelNames: ["path"] as const,
      registers,
    });
    for (const path of ["webtransport", "http"]) this.paths.inc({ path }, 0);
    this.cmcdLeftOut = new Counter({
      name: "nuwa_telemetry_cmcd_left_out_total",
      help: "Values of other players' reports that were left out, since their key cannot have them",
      labelNames: ["key"] as const,
      registers,
    });
    this.commitSeconds = new Histogram({
      name: "nuwa_telemetry_commit_seconds",
      help: "Time until a group of batches was on the disk",
      buckets: COMMIT_BUCKETS_SECONDS,
      registers,
    });
    for (const outcome of ["accepted", "duplicate", "refused"]) this.events.inc({ outcome }, 0);
  }

  /** @param events that were not stored before */
  countPaths(events: readonly TelemetryEvent[]): void {
    for (const { cen, "nuwa-path": path } of events)
      if (cen === "nuwa-path" && path !== undefined) this.paths.inc({ path });
  }

  /** Says at each reading whether telemetry can be stored, and how many sessions there are. */
  watch(store: TelemetryStore): void {
    new Gauge({
      name: "nuwa_telemetry_up",
      help: "1 while telemetry can be stored",
      registers: this.#registers,
      collect() {
        this.set(store.problem === null ? 1 : 0);
      },
    });
    new Gauge({
      name: "nuwa_telemetry_file_bytes",
      help: "Size of the store's file and its log",
      registers: this.#registers,
      collect() {
        this.set(store.fileBytes);
      },
    });
    new Gauge({
      name: "nuwa_telemetry_sessions",
      help: "Sessions in the store",
      registers: this.#registers,
      async collect() {
        this.set(await orNone(store.sessionCount()));
      },
    });
    new Gauge({
      name: "nuwa_telemetry_memory_bytes",
      help: "Memory that the store holds, its cache included",
      registers: this.#registers,
      async collect() {
        this.set(await orNone(store.memoryBytes()));
      },
    });
  }
}

async function orNone(asked: Promise<number>): Promise<number> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof StorageProblem) return Number.NaN; // Prometheus' way to say that it is not known
    throw error;
  }
}
