/** What the server kept of sessions (server/telemetry/README.md). */

import { askServer } from "../page/ask-server.ts";
import type { StreamType, TelemetryEvent } from "../telemetry/vocabulary.ts";

/** One line of the list; null for what was not reported. */
export interface SessionSummary {
  readonly sid: string;
  readonly cid: string;
  readonly st: StreamType | null;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly missing: number;
  readonly startupMs: number | null;
  readonly stalls: number | null;
  readonly stalledMs: number | null;
  readonly switches: number | null;
  readonly meanKbps: number | null;
  readonly meanEstimateKbps: number | null;
  readonly meanQueueingDelayMs: number | null;
  readonly playedUntilMs: number | null;
  readonly errors: number | null;
  readonly path: string | null;
  readonly scheme: string | null;
  readonly rule: string | null;
}

/** As it is read back: what was not said is null. */
export type StoredEvent = {
  readonly [Key in keyof TelemetryEvent]-?: NonNullable<TelemetryEvent[Key]> | null;
} & Pick<TelemetryEvent, "sn" | "ts" | "e">;

const ROUTES = "/api/telemetry";
const MOST_SESSIONS = 200;
/** A store that is busy answers late. */
const ERASURE_MS = 30_000;
/** A film of a day and more. */
const MOST_EVENTS = 100_000;

/** The sessions last heard of, the last first. Throws an Error with one sentence for the viewer. */
export async function fetchSessions(): Promise<SessionSummary[]> {
  const { sessions } = await readJson<{ sessions: SessionSummary[] }>(`sessions?limit=${MOST_SESSIONS}`);
  return sessions;
}

/** What one of them reported, in order of time. Throws as fetchSessions does. */
export function fetchEvents(sid: string): Promise<StoredEvent[]> {
  return readJson(`sessions/${encodeURIComponent(sid)}/events.json?limit=${MOST_EVENTS}`);
}

/** What one of them reported, as a file of a spreadsheet. */
export function csvAddress(sid: string): string {
  return `${ROUTES}/sessions/${encodeURIComponent(sid)}/events.csv?limit=${MOST_EVENTS}`;
}

/** For good. Throws as fetchSessions does. */
export async function eraseSession(sid: string): Promise<void> {
  const signal = AbortSignal.timeout(ERASURE_MS);
  await askServer(`${ROUTES}/sessions/${encodeURIComponent(sid)}`, { method: "DELETE", signal });
}

async function readJson<Answer>(path: string): Promise<Answer> {
  return (await (await askServer(`${ROUTES}/${path}`, { cache: "no-store" })).json()) as Answer;
}
