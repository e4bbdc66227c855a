import { Router } from "express";
import type { AppConfig } from "../config.ts";
import type { StorageProblemKind } from "../telemetry/storage-problem.ts";

type Condition = "ok" | "away" | "shut out";

/**
 * `GET /healthz`: 200 while everything runs; 503 while the transport, or a relay in front of it, is away, while it lets no
 * newcomer in, or once the only film could not be encoded. The transport tries newcomers by itself: asking here costs nothing,
 * however often. Telemetry that cannot be stored is told, and keeps nobody from a film.
 */
export function healthRoute({
  films,
  transport,
  letsNewcomersIn,
  link,
  telemetry,
}: Pick<AppConfig, "films" | "transport" | "letsNewcomersIn" | "link" | "telemetry">): Router {
  const router = Router();
  router.get("/", (_request, response) => {
    const services = {
      transport: conditionOf(transport() !== null),
      newcomers: (letsNewcomersIn?.() ?? true) ? "ok" : "shut out",
      relay: relayCondition(link),
      films: conditionOf(films.entries.length > 0),
    } as const;
    const trouble = Object.entries(services).find(
      ([, condition]) => condition !== null && condition !== "ok",
    );
    response
      .status(trouble === undefined ? 200 : 503)
      .set("Cache-Control", "no-store")
      .json({
        status: trouble === undefined ? "ok" : trouble.join(" "),
        ...services,
        telemetry: storing(telemetry),
      });
  });
  return router;
}

/** @returns null where no relay is in use */
function relayCondition(link: AppConfig["link"]): Condition | null {
  const kind = link?.route.kind ?? "direct";
  return kind === "direct" ? null : conditionOf(kind === "relay");
}

/** @returns null where none is taken */
function storing(telemetry: AppConfig["telemetry"]): "ok" | StorageProblemKind | null {
  return telemetry === undefined ? null : (telemetry.store.problem?.kind ?? "ok");
}

function conditionOf(isThere: boolean): Condition {
  return isThere ? "ok" : "away";
}
