import { PlaybackReporter, type ReportedPlayback } from "./report-playback.ts";
import { startTelemetry } from "./start-telemetry.ts";

export interface PageTelemetryOptions extends Pick<ReportedPlayback, "video" | "now" | "choices" | "nowMs"> {
  /** Of the film. */
  readonly cid: string;
}

/** `telemetry=0` in the page's query sends nothing. */
export function isTelemetryWanted(query: URLSearchParams): boolean {
  return query.get("telemetry") !== "0";
}

/** Reports a film to the page's own server; what happens before the browser's storage is open waits for it. */
export function reportPlayback({ cid, nowMs, ...playback }: PageTelemetryOptions): PlaybackReporter {
  const starting = startTelemetry({ cid, nowMs }).catch((error: unknown) => {
    console.warn(`Telemetry is not sent: ${error}`);
    return null;
  });
  return new PlaybackReporter({
    ...playback,
    nowMs,
    report: (type, fields, atMs = nowMs()) => {
      void starting.then((client) => client?.report(type, fields, atMs));
    },
    tellStreamType: (type) => void starting.then((client) => client?.tellStreamType(type)),
    every: (callback, intervalMs) => {
      const timer = setInterval(callback, intervalMs);
      return () => clearInterval(timer);
    },
  });
}
