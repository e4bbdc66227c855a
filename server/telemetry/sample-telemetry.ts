import { randomUUID } from "node:crypto";
import { onTestFinished } from "vitest";
import type { TelemetryBatch, TelemetryEvent } from "../../player/src/telemetry/vocabulary.ts";
import type { AppConfig } from "../config.ts";
import { createLog } from "../log.ts";
import { ServerMetrics } from "../metrics/server-metrics.ts";
import { startSampleApp, temporaryFolder } from "../sample-app.ts";
import { createTelemetry, type Telemetry } from "./telemetry.ts";

export interface SampleTelemetry {
  readonly url: string;
  readonly folder: string;
  readonly telemetry: Telemetry;
  readonly logLines: string[];
  /** POSTs a body of the session as it is. */
  send(
    body: unknown,
    changes?: { sid?: string; headers?: Readonly<Record<string, string>> },
  ): Promise<Answer>;
  get(path: string): Promise<Response>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: { accepted?: number; duplicates?: number; error?: { reason: string; field: string | null } };
}

/** For tests: a server with telemetry in a folder that is gone after the test. */
export async function startSampleTelemetry(
  folder = temporaryFolder(),
  overrides: Partial<AppConfig> = {},
): Promise<SampleTelemetry> {
  const logLines: string[] = [];
  const log = createLog("info", (line) => logLines.push(line));
  const metrics = new ServerMetrics();
  const telemetry = createTelemetry(folder, log, { registry: metrics.registry });
  const origins = ["http://127.0.0.1"];
  const { url } = await startSampleApp({ telemetry, metrics, origins: () => origins, ...overrides });
  origins.push(url);
  onTestFinished(() => telemetry.store.close());
  const send: SampleTelemetry["send"] = async (body, { sid = SID, headers = {} } = {}) => {
    const response = await fetch(`${url}/api/telemetry/sessions/${sid}/events`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Answer["body"],
    };
  };
  return { url, folder, telemetry, logLines, send, get: (path) => fetch(`${url}${path}`) };
}

export const SID = randomUUID();

/** Of the clock that the server goes by, since it takes nothing from far away. */
const BEGUN_AT_MS = Date.now() - 3_600_000;

/** For tests: an interval report, changed. */
export function sampleEvent(sn: number, changes: Partial<TelemetryEvent> = {}): TelemetryEvent {
  return { sn, ts: BEGUN_AT_MS + sn * 5000, e: "t", sta: "p", bl: 8000, br: 3000, ...changes };
}

/** For tests: a batch of these events. */
export function sampleBatch(events: readonly object[], changes: Partial<TelemetryBatch> = {}): object {
  return { schema: 1, v: 2, cid: "Sample", sf: "d", st: "v", dropped: 0, ...changes, events };
}
