import { Router } from "express";
import type { AppConfig } from "../config.ts";

type Condition = "ok" | "away";

/** `GET /healthz`: 200 while everything runs, 503 while the transport, or a relay in front of it, is away. */
export function healthRoute({ transport, link }: Pick<AppConfig, "transport" | "link">): Router {
  const router = Router();
  router.get("/", (_request, response) => {
    const services = { transport: conditionOf(transport() !== null), relay: relayCondition(link) };
    const away = Object.entries(services).find(([, condition]) => condition === "away");
    response
      .status(away === undefined ? 200 : 503)
      .set("Cache-Control", "no-store")
      .json({ status: away === undefined ? "ok" : `${away[0]} away`, ...services });
  });
  return router;
}

/** @returns null where no relay is in use */
function relayCondition(link: AppConfig["link"]): Condition | null {
  const kind = link?.route.kind ?? "direct";
  return kind === "direct" ? null : conditionOf(kind === "relay");
}

function conditionOf(isThere: boolean): Condition {
  return isThere ? "ok" : "away";
}
