import { collectDefaultMetrics, Gauge, Registry } from "prom-client";

/** What Prometheus reads of the web server. What is counted elsewhere joins its registry. */
export class ServerMetrics {
  readonly registry = new Registry();
  readonly #registers = [this.registry];

  readonly isTransportTelling = new Gauge({
    name: "nuwa_transport_metrics_up",
    help: "1 where the media server answered with its metrics, which follow",
    registers: this.#registers,
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
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
