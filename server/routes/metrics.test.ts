import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { packagedFilm } from "../films/film.ts";
import { FilmShelf } from "../films/film-shelf.ts";
import { ServerMetrics } from "../metrics/server-metrics.ts";
import { startSampleApp, temporaryFolder } from "../sample-app.ts";
import { sampleBatch, sampleEvent, startSampleTelemetry } from "../telemetry/sample-telemetry.ts";

test("metrics tell what came, what was refused, and what runs", async () => {
  const { send, get } = await startSampleTelemetry();
  await send(sampleBatch([sampleEvent(0), sampleEvent(1)]));
  await send(sampleBatch([sampleEvent(0)]));
  await send(sampleBatch([{ sn: -1 }]));
  const path = sampleEvent(2, { e: "ce", cen: "nuwa-path", "nuwa-path": "http" });
  await send(sampleBatch([path]));
  await send(sampleBatch([path, sampleEvent(3, { e: "ce", cen: "nuwa-path", "nuwa-path": "webtransport" })]));
  const response = await get("/metrics");
  expect(response.headers.get("content-type")).toContain("text/plain; version=0.0.4");
  const text = await response.text();
  for (const line of [
    'nuwa_telemetry_events_total{outcome="accepted"} 4',
    'nuwa_telemetry_events_total{outcome="duplicate"} 2',
    'nuwa_telemetry_events_total{outcome="refused"} 1',
    'nuwa_telemetry_requests_refused_total{status="400"} 1',
    "nuwa_telemetry_commit_seconds_count 4",
    'nuwa_telemetry_paths_total{path="http"} 1',
    'nuwa_telemetry_paths_total{path="webtransport"} 1',
    'nuwa_http_requests_total{status="2xx"} 4',
    'nuwa_http_requests_total{status="4xx"} 1',
    'nuwa_service_restarts_total{service="transport"} 0',
    "nuwa_connections_evicted_total 0",
    "nuwa_telemetry_sessions 1",
    "nuwa_telemetry_up 1",
    "nuwa_transport_up 1",
  ]) {
    expect(text).toContain(`${line}\n`);
  }
  expect(text).toContain("process_resident_memory_bytes");
  expect(text).toMatch(/^nuwa_telemetry_memory_bytes [1-9]\d*$/m);
  expect(text).toMatch(/^nuwa_telemetry_file_bytes [1-9]\d*$/m);
});

test("metrics of the transport follow those of the server, and are missing while it does not answer", async () => {
  const transport = createServer((_request, response) => response.end("nuwa_transport_workers 2.0\n"));
  await new Promise<void>((resolve) => transport.listen(0, "127.0.0.1", resolve));
  const { port } = transport.address() as AddressInfo;
  onTestFinished(() => void transport.close());
  const { get } = await startSampleTelemetry(undefined, { transportMetricsPort: () => port });
  const text = await (await get("/metrics")).text();
  expect(text).toContain("nuwa_telemetry_up 1\n");
  expect(text).toContain("nuwa_transport_metrics_up 1\n");
  expect(text.endsWith("\nnuwa_transport_workers 2.0\n")).toBe(true);
  await new Promise((resolve) => {
    transport.close(resolve);
    transport.closeAllConnections();
  });
  const response = await get("/metrics");
  expect(response.status).toBe(200);
  const without = await response.text();
  expect(without).not.toContain("nuwa_transport_workers");
  expect(without).toContain("nuwa_transport_metrics_up 0\n");
});

test("metrics tell how many films there are to watch: none once the only one could not be encoded", async () => {
  const film = packagedFilm({ directory: temporaryFolder(), title: "Sample", durationSeconds: 4 });
  const films = new FilmShelf([film]);
  const { url } = await startSampleApp({ metrics: new ServerMetrics(), films });
  expect(await (await fetch(`${url}/metrics`)).text()).toContain("nuwa_films 1\n");
  films.remove(film);
  films.add({ ...film, isLost: true });
  expect(await (await fetch(`${url}/metrics`)).text()).toContain("nuwa_films 0\n");
});

test("a health check's own 503 is no error of the server", async () => {
  const { url } = await startSampleApp({ metrics: new ServerMetrics(), transport: () => null });
  for (const path of ["/healthz", "/healthz/", "/HealthZ"])
    expect((await fetch(`${url}${path}`)).status).toBe(503);
  expect((await fetch(`${url}/none`)).status).toBe(404);
  const text = await (await fetch(`${url}/metrics`)).text();
  expect(text).toContain('nuwa_http_requests_total{status="5xx"} 0\n');
  expect(text).toContain('nuwa_http_requests_total{status="4xx"} 1\n');
});

test("a server that takes no telemetry tells its other metrics all the same", async () => {
  const { url } = await startSampleApp({ metrics: new ServerMetrics() });
  const text = await (await fetch(`${url}/metrics`)).text();
  expect(text).toContain("nuwa_transport_up 1\n");
  expect(text).not.toContain("nuwa_telemetry");
});
