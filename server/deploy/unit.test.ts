import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseStartOptions } from "../setup/options.ts";

/** The variables that a unit, or an addition to one, sets. */
function variablesOf(name: string): Record<string, string> {
  const unit = readFileSync(new URL(name, import.meta.url), "utf8");
  const settings = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line = ""]) => line.split(" "));
  return Object.fromEntries(settings.map((setting) => setting.split("=")));
}

test("the samples for systemd set options that there are", () => {
  const unit = variablesOf("../nuwa-stream.service");
  expect(parseStartOptions([], unit)).toMatchObject({ port: 8080, workers: 2, data: "/var/lib/nuwa-stream" });
  expect(parseStartOptions([], { ...unit, ...variablesOf("port-443.conf") })).toMatchObject({
    port: 443,
    udpPort: 443,
    certificate: { certificate: "/etc/nuwa-stream/fullchain.pem", key: "/etc/nuwa-stream/privkey.pem" },
  });
});
