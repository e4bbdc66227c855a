import { expect, test } from "vitest";
import { SID, sampleBatch, sampleEvent, startSampleTelemetry } from "../sample-telemetry.ts";

const LISTED = "https://films.example";
const PATHS = ["/api/telemetry/cmcd", `/api/telemetry/sessions/${SID}/events`] as const;

async function start() {
  const { url, send } = await startSampleTelemetry(undefined, {
    origins: () => ["http://127.0.0.1", LISTED],
  });
  const preflight = (path: string, origin: string) =>
    fetch(`${url}${path}`, {
      method: "OPTIONS",
      headers: {
        Origin: origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type",
      },
    });
  return { send, preflight };
}

test.each(PATHS)("a browser may send to %s from a page of a listed origin", async (path) => {
  const { preflight } = await start();
  const { status, headers } = await preflight(path, LISTED);
  expect(status).toBe(204);
  expect(headers.get("access-control-allow-origin")).toBe(LISTED);
  expect(headers.get("access-control-allow-methods")).toBe("POST");
  expect(headers.get("access-control-allow-headers")).toBe("Content-Type");
  expect(headers.get("vary")).toContain("Origin");
});

test.each(PATHS)("a browser may not send to %s from any other page", async (path) => {
  const { preflight } = await start();
  const { status, headers } = await preflight(path, "https://elsewhere.example");
  expect([status, headers.get("access-control-allow-origin")]).toEqual([403, null]);
});

test("a page of a listed origin reads what it is answered, a refusal too", async () => {
  const { send } = await start();
  const headers = { Origin: LISTED };
  const answers = [await send(sampleBatch([sampleEvent(0)]), { headers }), await send({}, { headers })];
  expect(answers.map(({ status }) => status)).toEqual([200, 400]);
  for (const { headers: told } of answers) expect(told.get("access-control-allow-origin")).toBe(LISTED);
  const other = await send(sampleBatch([]), { headers: { Origin: "https://elsewhere.example" } });
  expect([other.status, other.headers.get("access-control-allow-origin")]).toEqual([403, null]);
});
