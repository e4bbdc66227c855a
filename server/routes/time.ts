import { Router } from "express";

/** `GET /api/time`: the time here, by which pages play live films (ISO/IEC 23009-1 section 5.8.4.11, http-xsdate). */
export function timeRoute(): Router {
  const router = Router();
  router.get("/", (_request, response) => {
    response.set("Cache-Control", "no-store").type("text/plain").send(new Date().toISOString());
  });
  return router;
}
