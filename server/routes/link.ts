import express, { Router } from "express";
import { ownPagesOnly } from "../access/own-pages.ts";
import { tokenOnly } from "../access/token.ts";
import type { AppConfig } from "../config.ts";
import { Refusal } from "../errors.ts";
import type { LinkService } from "../link/link-control.ts";
import { LINK_LIMITS } from "../link/link-limits.ts";
import { parseLinkRequest } from "../link/link-request.ts";

const BODY_LIMIT = "4kb";

/** `GET /api/link` and `PUT /api/link`: the link that is emulated between pages and the transport. */
export function linkRoute(
  link: LinkService,
  { origins, token = () => null }: Pick<AppConfig, "origins" | "token">,
): Router {
  const router = Router();
  const answer = () => ({ link: link.state, limits: LINK_LIMITS, nowMs: Date.now() });
  router.get("/", (_request, response) => {
    if (link.isAwaited) throw new Refusal(503, "the emulated link is being started; ask again in a moment");
    response.set("Cache-Control", "no-store").json(answer());
  });
  router.put(
    "/",
    ownPagesOnly(origins),
    tokenOnly(token),
    requireJson,
    express.json({ limit: BODY_LIMIT, strict: true }),
    async (request, response) => {
      await link.change(parseLinkRequest(request.body, link.defaults));
      response.set("Cache-Control", "no-store").json(answer());
    },
  );
  return router;
}

function requireJson(
  request: express.Request,
  _response: express.Response,
  next: express.NextFunction,
): void {
  if (request.is("application/json") === "application/json") next();
  else next(new Refusal(415, "the body must be application/json"));
}
