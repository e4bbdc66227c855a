import { Router } from "express";
import { staticFiles } from "./static-files.ts";

/** A policy's model and its card. */
const POLICY_NAME = /^\/[A-Za-z0-9_-]+\.(?:json|onnx)$/;

/**
 * `GET /policies/NAME.onnx` and its card `NAME.json`, for learned schemes that run in the browser. Asked for again each
 * time (with an ETag): another model has the same name.
 */
export function policiesRoute(directory: string): Router {
  const router = Router({ strict: true });
  router.use(function refuseOtherNames(request, _response, next) {
    if (POLICY_NAME.test(request.path)) next();
    else next("router");
  });
  router.use(
    staticFiles(directory, { setHeaders: (response) => response.setHeader("Cache-Control", "no-cache") }),
  );
  return router;
}
