import { Router } from "express";
import type { TelemetryMetrics } from "../metrics.ts";

/** A busy transport answers within its own second. */
const ANSWER_MS = 3_000;

/** `GET /metrics`, in Prometheus' text format: this process, then the transport, where that answers. */
export function metricsRoute(
  { registry }: TelemetryMetrics,
  transportPort: () => number | null = () => null,
): Router {
  const router = Router();
  router.get("/", async (_request, response) => {
    const [own, ofTransport] = await Promise.all([registry.metrics(), transportMetrics(transportPort())]);
    response
      .set({ "Cache-Control": "no-store", "Content-Type": registry.contentType })
      .send(`${own.trimEnd()}\n${ofTransport}`);
  });
  return router;
}

/** @returns nothing where it does not answer: `nuwa_transport_up` says so */
async function transportMetrics(port: number | null): Promise<string> {
  if (port === null) return "";
  try {
    const url = `http://127.0.0.1:${port}/metrics`;
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) });
    return response.ok ? await response.text() : "";
  } catch (error) {
    if (error instanceof TypeError || error instanceof DOMException) return ""; // refused, or too late
    throw error;
  }
}
