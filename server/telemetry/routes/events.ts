import { pipeline } from "node:stream/promises";
import { Router } from "express";
import { exportEvents, FORMAT_NAMES, FORMATS } from "../export.ts";
import { parseSelection } from "../selection.ts";
import type { Telemetry } from "../telemetry.ts";

/** `GET /events.FORMAT` and `GET /sessions/SID/events.FORMAT`: JSON, CSV or Parquet. */
export function eventsRoute({ store }: Telemetry): Router {
  const router = Router();
  for (const format of FORMAT_NAMES) {
    router.get([`/events.${format}`, `/sessions/:sid/events.${format}`], async (request, response) => {
      const selection = parseSelection(request.query, sidOf(request.params));
      const { content, isCut } = await exportEvents(store, format, selection);
      try {
        response.set({
          "Cache-Control": "no-store",
          "Content-Type": FORMATS[format].contentType,
          "Content-Disposition": `attachment; filename="events.${format}"`,
          ...(isCut && { "Nuwa-More": "true" }),
        });
        await pipeline(content, response);
      } catch (error) {
        if (!isGone(error)) throw error;
      }
    });
  }
  return router;
}

function sidOf(parameters: Readonly<Record<string, string | string[] | undefined>>): string | null {
  const { sid } = parameters;
  return sid === undefined ? null : String(sid);
}

/** The client left before it had all. */
function isGone(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE";
}
