import express from "express";
import { ownHostsOnly } from "./access/own-hosts.ts";
import { responseHeaders } from "./access/response-headers.ts";
import { tokenOnly } from "./access/token.ts";
import type { AppConfig } from "./config.ts";
import { boundDocuments } from "./connections/bound-documents.ts";
import { errorHandler, notFound } from "./errors.ts";
import { refusalPage } from "./refusal-page.ts";
import { configRoute } from "./routes/config.ts";
import { filmsRoute } from "./routes/films.ts";
import { healthRoute } from "./routes/health.ts";
import { linkRoute } from "./routes/link.ts";
import { mediaRoute } from "./routes/media.ts";
import { metricsRoute } from "./routes/metrics.ts";
import { openapiRoute } from "./routes/openapi.ts";
import { playerRoute } from "./routes/player.ts";
import { policiesRoute } from "./routes/policies.ts";
import { timeRoute } from "./routes/time.ts";
import { unlockRoute } from "./routes/unlock.ts";
import { telemetryRoutes } from "./telemetry/routes/index.ts";
import { textCompression } from "./text-compression.ts";

/** The web server without a port: page, media over plain HTTP, and what the page must know to begin. */
export function createApp(config: AppConfig): express.Express {
  const app = express();
  app.disable("x-powered-by");
  app.set("trust proxy", config.trustedProxies ?? []);
  if (config.metrics !== undefined) app.use(config.metrics.countRequests);
  app.use(responseHeaders(config), ownHostsOnly(config.origins));
  app.use(textCompression());
  const bounded = boundDocuments();
  app.use("/api/config", bounded, configRoute(config));
  if (config.link !== undefined) app.use("/api/link", linkRoute(config.link, config));
  app.use("/api/time", timeRoute());
  app.use("/unlock", unlockRoute(config.token ?? (() => null)));
  app.use("/healthz", healthRoute(config));
  app.use("/api/openapi.json", bounded, openapiRoute());
  if (config.telemetry !== undefined) app.use("/api/telemetry", telemetryRoutes(config.telemetry, config));
  if (config.metrics !== undefined) {
    config.metrics.watchFilms(() => config.films.entries.length);
    config.metrics.watchTransport(() => config.transport() !== null);
    const access = tokenOnly(config.token ?? (() => null));
    app.use("/metrics", access, metricsRoute(config.metrics, config.transportMetricsPort));
  }
  app.use("/api/films", filmsRoute(config));
  app.use("/media", mediaRoute(config.films));
  if (config.policyDirectory !== undefined) app.use("/policies", policiesRoute(config.policyDirectory));
  app.use(playerRoute(config.playerDirectory));
  const page = refusalPage(config.playerDirectory);
  app.use(notFound(page));
  app.use(errorHandler(config.log, page));
  return app;
}
