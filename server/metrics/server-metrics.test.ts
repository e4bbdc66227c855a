import { expect, test } from "vitest";
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

test.each([
  [{ version: "7.0.0", commit: "abc" }, 'version="7.0.0",commit="abc"'],
  [{ version: "7.0.0", commit: null }, 'version="7.0.0",commit=""'],
])("the build of %o is labelled %s", async (build, labels) => {
  const metrics = new ServerMetrics();
  metrics.tellBuild(build);
  expect(await metrics.registry.metrics()).toContain(`nuwa_build_info{${labels}} 1\n`);
});
