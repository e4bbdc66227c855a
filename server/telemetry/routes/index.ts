import { type Express, Router } from "express";
import type { AppConfig } from "../../config.ts";
import { answerProblem } from "../answer-problem.ts";
import type { Telemetry } from "../telemetry.ts";
import { batchesRoute } from "./batches.ts";
import { eventsRoute } from "./events.ts";
import { metricsRoute } from "./metrics.ts";
import { openapiRoute } from "./openapi.ts";
import { sessionsRoute } from "./sessions.ts";

/** Everything under `/api/telemetry`. */
export function telemetryRoutes(telemetry: Telemetry, origins: () => readonly string[]): Router {
  const router = Router();
  router.use(batchesRoute(telemetry, origins), sessionsRoute(telemetry), eventsRoute(telemetry));
  router.use(answerProblem(telemetry.metrics));
  return router;
}

/** Telemetry, its description and its metrics, in the app. */
export function mountTelemetry(
  app: Express,
  telemetry: Telemetry,
  { transport, origins = () => [] }: Pick<AppConfig, "transport" | "origins">,
): void {
  telemetry.metrics.watchTransport(() => transport() !== null);
  app.use("/api/telemetry", telemetryRoutes(telemetry, origins));
  app.use("/api/openapi.json", openapiRoute());
  app.use("/metrics", metricsRoute(telemetry.metrics));
}
