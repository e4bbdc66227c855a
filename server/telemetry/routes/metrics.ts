import { Router } from "express";
import type { TelemetryMetrics } from "../metrics.ts";

/** `GET /metrics`, in Prometheus' text format. */
export function metricsRoute({ registry }: TelemetryMetrics): Router {
  const router = Router();
  router.get("/", async (_request, response) => {
    const text = await registry.metrics();
    response.set({ "Cache-Control": "no-store", "Content-Type": registry.contentType }).send(text);
  });
  return router;
}
