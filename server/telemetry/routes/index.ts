import { Router } from "express";
import { refuseForeignEmbeds } from "../../access/own-pages.ts";
import { tokenOnly } from "../../access/token.ts";
import type { AppConfig } from "../../config.ts";
import { AddressAllowance } from "../address-allowance.ts";
import { answerProblem } from "../answer-problem.ts";
import type { Telemetry } from "../telemetry.ts";
import { batchesRoute } from "./batches.ts";
import { cmcdRoute } from "./cmcd.ts";
import { eventsRoute } from "./events.ts";
import { sessionsRoute } from "./sessions.ts";

/** Who may write, and who may read. */
type Access = Pick<AppConfig, "origins" | "token">;

/** Everything under `/api/telemetry`. */
export function telemetryRoutes(telemetry: Telemetry, { origins, token = () => null }: Access): Router {
  const router = Router();
  const allowance = new AddressAllowance(); // one for both: an address has no second one by the other route
  router.use(batchesRoute(telemetry, origins, allowance), cmcdRoute(telemetry, origins, allowance));
  router.use(
    refuseForeignEmbeds,
    tokenOnly(token),
    sessionsRoute(telemetry, origins),
    eventsRoute(telemetry),
  );
  router.use(answerProblem(telemetry.metrics));
  return router;
}
