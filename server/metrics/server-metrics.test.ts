import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../sample-app.ts";
import { ROOT } from "../setup/paths.ts";
import { buildInfo } from "./build-info.ts";
import { ServerMetrics } from "./server-metrics.ts";

test("the certificate's end is the one of the certificate in use", async () => {
  const metrics = new ServerMetrics();
  let expiresAtMs = 1_800_000_000_000;
  metrics.watchCertificate(() => expiresAtMs);
  expect(await metrics.registry.metrics()).toContain(
    "nuwa_certificate_expiry_timestamp_seconds 1800000000\n",
  );
  expiresAtMs += 1000;
  expect(await metrics.registry.metrics()).toContain(
    "nuwa_certificate_expiry_timestamp_seconds 1800000001\n",
  );
});

test("a server without a certificate tells of none", async () => {
  const metrics = new ServerMetrics();
  metrics.watchCertificate(() => null);
  expect(await metrics.registry.metrics()).not.toContain("nuwa_certificate");
});

test("the build is this version's, of a commit where the folder is a clone", async () => {
  const metrics = new ServerMetrics();
  metrics.tellBuild(buildInfo(ROOT));
  expect(await metrics.registry.metrics()).toMatch(
    /^nuwa_build_info\{version="\d[^"]*",commit="[^"]*"\} 1$/m,
  );
  const folder = temporaryFolder();
  writeFileSync(join(folder, "package.json"), '{"version": "7.0.0"}');
  expect(buildInfo(folder)).toEqual({ version: "7.0.0", commit: "" });
});
