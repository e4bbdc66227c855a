import { PlaybackReporter, type ReportedPlayback } from "./report-playback.ts";
import { startTelemetry } from "./start-telemetry.ts";

export interface PageTelemetryOptions extends Pick<ReportedPlayback, "video" | "now" | "choices" | "nowMs"> {
  /** Of this visit. */
  readonly sid: string;
  /** Of the film. */
  readonly cid: string;
}

/** `telemetry=0` in the page's query sends nothing, nor does a browser that is set to Global Privacy Control. */
export function isTelemetryWanted(query: URLSearchParams): boolean {
  return (
    query.get("telemetry") !== "0" &&
    (navigator as { readonly globalPrivacyControl?: boolean }).globalPrivacyControl !== true
  );
}

/** Reports a film to the page's own server; what happens before the browser's storage is open waits for it. */
export function reportPlayback({ sid, cid, nowMs, ...playback }: PageTelemetryOptions): PlaybackReporter {
  const starting = startTelemetry({ sid, cid, nowMs }).catch((error: unknown) => {
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
