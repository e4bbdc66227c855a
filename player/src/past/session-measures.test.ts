import { expect, it } from "vitest";
import { scoreRows } from "../page/words/score.ts";
import type { SessionSummary } from "./session-api.ts";
import { SESSION_MEASURES } from "./session-measures.ts";

const session = (changes: Partial<SessionSummary>): SessionSummary => ({
  ...{ sid: "a", cid: "film", st: "v", startedAtMs: 0, endedAtMs: 1, missing: 0, errors: 0, path: null },
  ...{ startupMs: null, stalls: 0, stalledMs: 0, switches: 1, meanKbps: null, meanEstimateKbps: null },
  ...{ meanQueueingDelayMs: null, playedUntilMs: null, scheme: null, rule: null },
  ...changes,
});

it("judges two sessions in seconds and Mbit/s", () => {
  const rows = scoreRows(
    SESSION_MEASURES,
    session({ stalledMs: 1250, stalls: 1, meanKbps: 2400 }),
    session({ meanKbps: 1800, startupMs: 640 }),
  );
  const rowOf = (title: string) => rows.find((row) => row.title === title);
  expect(rowOf("Stalled, s")).toMatchObject({ texts: ["1.3", "0.0"], better: 1 });
  expect(rowOf("Bitrate, Mbit/s")).toMatchObject({ texts: ["2.40", "1.80"], better: 0 });
  expect(rowOf("First frame, s")).toMatchObject({ texts: ["–", "0.64"], better: null });
});

it("has no words for a side that is empty", () => {
  const rows = scoreRows(SESSION_MEASURES, null, session({}));
  expect(rows.every(({ texts, better }) => texts[0] === "–" && better === null)).toBe(true);
});
