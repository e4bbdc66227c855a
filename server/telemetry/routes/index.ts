import { type Express, Router } from "express";
import { tokenOnly } from "../../access/token.ts";
import type { AppConfig } from "../../config.ts";
import { AddressAllowance } from "../address-allowance.ts";
import { answerProblem } from "../answer-problem.ts";
import type { Telemetry } from "../telemetry.ts";
import { batchesRoute } from "./batches.ts";
import { cmcdRoute } from "./cmcd.ts";
import { eventsRoute } from "./events.ts";
import { metricsRoute } from "./metrics.ts";
import { openapiRoute } from "./openapi.ts";
import { sessionsRoute } from "./sessions.ts";

/** Who may write, and who may read. */
type Access = Pick<AppConfig, "origins" | "token">;

/** Everything under `/api/telemetry`. */
export function telemetryRoutes(telemetry: Telemetry, { origins, token = () => null }: Access): Router {
  const router = Router();
  const allowance = new AddressAllowance(); // one for both: an address has no second one by the other route
  router.use(batchesRoute(telemetry, origins, allowance), cmcdRoute(telemetry, origins, allowance));
  router.use(tokenOnly(token), sessionsRoute(telemetry), eventsRoute(telemetry));
  router.use(answerProblem(telemetry.metrics));
  return router;
}

/** Telemetry, its description and its metrics, in the app. */
export function mountTelemetry(
  app: Express,
  telemetry: Telemetry,
  access: Access & Pick<AppConfig, "transport" | "transportMetricsPort">,
): void {
  telemetry.metrics.watchTransport(() => access.transport() !== null);
  app.use("/api/telemetry", telemetryRoutes(telemetry, access));
  app.use("/api/openapi.json", openapiRoute());
  const { token = () => null, transportMetricsPort } = access;
  app.use("/metrics", tokenOnly(token), metricsRoute(telemetry.metrics, transportMetricsPort));
}
