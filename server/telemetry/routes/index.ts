import { Router } from "express";
import { answerProblem } from "../answer-problem.ts";
import type { Telemetry } from "../telemetry.ts";
import { batchesRoute } from "./batches.ts";

/** Everything under `/api/telemetry`. */
export function telemetryRoutes(telemetry: Telemetry): Router {
  const router = Router();
  router.use(batchesRoute(telemetry));
  router.use(answerProblem(telemetry.metrics));
  return router;
}
