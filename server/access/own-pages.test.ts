import { expect, test } from "vitest";
import { startSampleTelemetry } from "../telemetry/sample-telemetry.ts";

const PATHS = ["/api/telemetry/sessions", "/api/telemetry/events.csv"] as const;

test.each<[string, Readonly<Record<string, string>>, number]>([
  ["an image of another site", { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "image" }, 403],
  ["a frame of another site", { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "iframe" }, 403],
  ["a script of another site", { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "empty" }, 403],
  ["a link of another site", { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "document" }, 200],
  ["what any page has fetched ahead", { "Sec-Purpose": "prefetch", "Sec-Fetch-Site": "none" }, 403],
  ["a page of this server", { "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Dest": "empty" }, 200],
  ["an address that is typed", { "Sec-Fetch-Site": "none", "Sec-Fetch-Dest": "document" }, 200],
  ["a program", {}, 200],
])("of %s telemetry is read, or refused", async (_who, headers, status) => {
  const { url } = await startSampleTelemetry();
  for (const path of PATHS) {
    const answer = await fetch(`${url}${path}`, { headers });
    await answer.arrayBuffer();
    expect([path, answer.status]).toEqual([path, status]);
  }
});
