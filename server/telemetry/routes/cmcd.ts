import express, { type RequestHandler, Router } from "express";
import { BODY_LIMIT_BYTES } from "../../../player/src/telemetry/vocabulary.ts";
import { senderOf } from "../../connections/sender.ts";
import { Refusal } from "../../errors.ts";
import type { AddressAllowance } from "../address-allowance.ts";
import { CMCD_TYPE, parseCmcdReport } from "../cmcd-report.ts";
import type { Telemetry } from "../telemetry.ts";
import { boundRate } from "./bound-rate.ts";
import { answerPreflight, ownPagesAndPrograms } from "./own-pages-and-programs.ts";

/** `POST /cmcd`: event reports of any player, as CTA-5004-B has them; answered once they are on the disk. */
export function cmcdRoute(
  { store, metrics }: Telemetry,
  origins: () => readonly string[],
  allowance: AddressAllowance,
): Router {
  const router = Router();
  router.options("/cmcd", answerPreflight(origins));
  router.post(
    "/cmcd",
    ownPagesAndPrograms(origins),
    boundRate(),
    allowance.handler,
    cmcdOnly,
    express.text({ limit: BODY_LIMIT_BYTES, inflate: false, type: CMCD_TYPE, defaultCharset: "utf-8" }),
    async (request, response) => {
      const { batches, leftOut } = parseCmcdReport(request.body);
      allowance.chargeSessions(request, batches.length);
      const { accepted, duplicates } = await store.acceptAll(batches, senderOf(request));
      for (const key of leftOut) metrics.cmcdLeftOut.inc({ key });
      metrics.events.inc({ outcome: "accepted" }, accepted);
      metrics.events.inc({ outcome: "duplicate" }, duplicates);
      response.set("Cache-Control", "no-store").status(204).end();
    },
  );
  return router;
}

const cmcdOnly: RequestHandler = function refuseOtherTypes(request, _response, next) {
  if (request.is(CMCD_TYPE)) next();
  else next(new Refusal(415, `the body must be of type ${CMCD_TYPE}`));
};
