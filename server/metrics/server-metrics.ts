import type { RequestHandler } from "express";
import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { readVersion } from "../version.mjs";

/** Asked all the time; its 503 says that something beside the web server is away, which has metrics of its own. */
const HEALTH_CHECK = /^\/healthz\/?$/i;

/** Processes beside the web server that are started again when they end. */
export type ServiceName = "transport" | "relay";

/** What Prometheus reads of the web server. What is counted elsewhere joins its registry. */
export class ServerMetrics {
  readonly registry = new Registry();
  readonly #registers = [this.registry];

  readonly requests = new Counter({
    name: "nuwa_http_requests_total",
    help: "Requests answered, by class of their status, but for those of /healthz",
    labelNames: ["status"] as const,
    registers: this.#registers,
  });
  readonly evictions = new Counter({
    name: "nuwa_connections_evicted_total",
    help: "Connections that had to leave, or found no place",
    registers: this.#registers,
  });
  readonly restarts = new Counter({
    name: "nuwa_service_restarts_total",
    help: "Times that a service ended and was started again",
    labelNames: ["service"] as const,
    registers: this.#registers,
  });
  readonly isTransportTelling = new Gauge({
    name: "nuwa_transport_metrics_up",
    help: "1 where the media server answered with its metrics, which follow",
    registers: this.#registers,
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    for (const status of ["2xx", "4xx", "5xx"]) this.requests.inc({ status }, 0);
    for (const service of ["transport", "relay"] satisfies ServiceName[]) this.restarts.inc({ service }, 0);
  }

  /** Before all routes. */
  readonly countRequests: RequestHandler = ({ path }, response, next) => {
    if (HEALTH_CHECK.test(path)) return next();
    response.once("close", () => {
      if (response.headersSent) this.requests.inc({ status: `${Math.floor(response.statusCode / 100)}xx` });
    });
    next();
  };

  tellBuild({ version, commit }: ReturnType<typeof readVersion>): void {
    new Gauge({
      name: "nuwa_build_info",
      help: "1, of the version and commit that run; no commit where neither git nor the image says it",
      labelNames: ["version", "commit"] as const,
      registers: this.#registers,
    }).set({ version, commit: commit ?? "" }, 1);
  }

  /**
   * Says at each reading until when the web server's certificate lasts.
   *
   * @param expiresAtMs of the epoch; null: there is none
   */
  watchCertificate(expiresAtMs: () => number | null): void {
    if (expiresAtMs() === null) return;
    new Gauge({
      name: "nuwa_certificate_expiry_timestamp_seconds",
      help: "When the web server's certificate ends, seconds of the epoch",
      registers: this.#registers,
      collect() {
        this.set((expiresAtMs() ?? Number.NaN) / 1000);
      },
    });
  }

  /** Says at each reading how many films there are to watch. */
  watchFilms(count: () => number): void {
    new Gauge({
      name: "nuwa_films",
      help: "Films that can be watched: 0 where the only one could not be encoded",
      registers: this.#registers,
      collect() {
        this.set(count());
      },
    });
  }

  /** Says at each reading whether the media server runs. */
  watchTransport(isRunning: () => boolean): void {
    new Gauge({
      name: "nuwa_transport_up",
      help: "1 while the media server's process runs and says so",
      registers: this.#registers,
      collect() {
        this.set(isRunning() ? 1 : 0);
      },
    });
  }
}
