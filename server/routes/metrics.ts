import { Router } from "express";
import type { ServerMetrics } from "../metrics/server-metrics.ts";

/** A busy transport answers within its own second. */
const ANSWER_MS = 3_000;

/** `GET /metrics`, in Prometheus' text format: this process, then the media server, where that answers. */
export function metricsRoute(
  { registry, isTransportTelling }: ServerMetrics,
  transportPort: () => number | null = () => null,
): Router {
  const router = Router();
  router.get("/", async (_request, response) => {
    const ofTransport = await transportMetrics(transportPort());
    isTransportTelling.set(ofTransport === null ? 0 : 1);
    const own = await registry.metrics();
    response
      .set({ "Cache-Control": "no-store", "Content-Type": registry.contentType })
      .send(`${own.trimEnd()}\n${ofTransport ?? ""}`);
  });
  return router;
}

/** @returns null where it does not answer */
async function transportMetrics(port: number | null): Promise<string | null> {
  if (port === null) return null;
  try {
    const url = `http://127.0.0.1:${port}/metrics`;
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) });
    return response.ok ? await response.text() : null;
  } catch (error) {
    if (error instanceof TypeError || error instanceof DOMException) return null; // refused, or too late
    throw error;
  }
}
