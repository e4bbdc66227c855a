import type { Measure } from "../page/words/score.ts";
import type { SessionSummary } from "./session-api.ts";

const seconds = (milliseconds: number | null): number | null =>
  milliseconds === null ? null : milliseconds / 1000;

/** How two past sessions did, in the order of the live score. */
export const SESSION_MEASURES: readonly Measure<SessionSummary | null>[] = [
  { title: "Queue, mean, ms", of: (session) => session?.meanQueueingDelayMs ?? null, digits: 0 },
  { title: "Stalls", of: (session) => session?.stalls ?? null, digits: 0 },
  { title: "Stalled, s", of: (session) => seconds(session?.stalledMs ?? null), digits: 1 },
  {
    title: "Bitrate, Mbit/s",
    of: (session) => (session?.meanKbps == null ? null : session.meanKbps / 1000),
    digits: 2,
    isMoreBetter: true,
  },
  { title: "Switches", of: (session) => session?.switches ?? null, digits: 0 },
  { title: "First frame, s", of: (session) => seconds(session?.startupMs ?? null), digits: 2 },
];
