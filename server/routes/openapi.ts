import { Router } from "express";
import { OPENAPI_DOCUMENT } from "../telemetry/openapi.ts";

/** `GET /api/openapi.json`. */
export function openapiRoute(): Router {
  const router = Router();
  router.get("/", (_request, response) => {
    response.set("Cache-Control", "no-cache").json(OPENAPI_DOCUMENT);
  });
  return router;
}
