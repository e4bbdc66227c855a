import { Router } from "express";
import type { AppConfig } from "../config.ts";

/** `GET /healthz`: 200 while everything runs, 503 while the transport is away. */
export function healthRoute({ transport }: Pick<AppConfig, "transport">): Router {
  const router = Router();
  router.get("/", (_request, response) => {
    const isRunning = transport() !== null;
    response
      .status(isRunning ? 200 : 503)
      .set("Cache-Control", "no-store")
      .json({ status: isRunning ? "ok" : "transport away" });
  });
  return router;
}
