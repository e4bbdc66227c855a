import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createLog } from "../log.ts";
import { ServerMetrics } from "../metrics/server-metrics.ts";
import { temporaryFolder } from "../sample-app.ts";
import { createTelemetry } from "../telemetry/telemetry.ts";

const RULES = readFileSync(new URL("alerts.yaml", import.meta.url), "utf8");

test("every metric that an alert asks for exists", async () => {
  const metrics = new ServerMetrics();
  metrics.tellBuild({ version: "7.0.0", commit: null });
  metrics.watchCertificate(() => 0);
  metrics.watchFilms(() => 1);
  metrics.watchTransport(() => true);
  const log = createLog("error", () => undefined);
  createTelemetry(temporaryFolder(), log, { registry: metrics.registry });
  const known = (await metrics.registry.getMetricsAsJSON()).map(({ name }) => name);
  const transport = readFileSync(new URL("../../transport/README.md", import.meta.url), "utf8"); // whose metrics are appended
  const asked = new Set(RULES.match(/nuwa_\w+/g));
  known.push(...(transport.match(/nuwa_transport_\w+/g) ?? []));
  expect(asked.size).toBeGreaterThan(4);
  expect(known).toEqual(expect.arrayContaining([...asked]));
});

const PROMTOOL = "promtool";

// It comes with Prometheus alone: where that is not installed, who changes the rules runs the command in the file's head.
if (spawnSync(PROMTOOL, ["--version"]).status === 0) {
  test("a restart raises no alert of viewers who fall back, and true fallback does", () => {
    const file = fileURLToPath(new URL("alerts.promtool.yaml", import.meta.url));
    const { status, stdout, stderr } = spawnSync(PROMTOOL, ["test", "rules", file], { encoding: "utf8" });
    expect([status, `${stdout}${stderr}`]).toEqual([0, expect.stringContaining("SUCCESS")]);
  });
}
