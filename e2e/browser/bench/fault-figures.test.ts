import { expect, test } from "vitest";
import type { Fault } from "../fault-rig/fault.ts";
import type { Outcome } from "../fault-rig/outcome.ts";
import type { KeptRun } from "../fault-rig/run-store.ts";
import { faultFigures, faultTable } from "./fault-figures.ts";

const FAULT: Fault = {
  name: "network-gone",
  title: "network gone",
  watchSeconds: 9,
  expected: { stalledSeconds: 2, bytesAfterSeconds: 3, endPath: "webtransport", consoleProblems: [] },
};
const UNPLAYED: Fault = { ...FAULT, name: "two-tabs" };

const AS_EXPECTED: Outcome = {
  lastedSeconds: 5,
  firstFrameSeconds: 1,
  stalledSeconds: 0.4,
  heldUpSeconds: 0,
  bufferAtStrikeSeconds: 7,
  bytesAfterSeconds: 1.25,
  playedSeconds: 14,
  isPlayingAtEnd: true,
  endPath: "webtransport",
  webTransportAfterSeconds: 0,
  paths: ["webtransport"],
  httpSegments: 0,
  notice: null,
  problems: [],
  cpuUse: { usedSeconds: 10, waitedSeconds: 5 },
  telemetry: { sessions: 1, missing: 0, dropped: 0 },
};

function keptRun(seed: number, changes: Partial<Outcome> | null = {}): KeptRun {
  const outcome = changes === null ? null : { ...AS_EXPECTED, ...changes };
  const made = { commit: "abc", finishedAt: "2026-11-25T19:00:00.000Z", browser: "chromium", jobs: 1 };
  return { fault: FAULT.name, seed, ...made, outcome, failure: outcome === null ? "no page" : null };
}

function cellsOf(runs: readonly KeptRun[]): string[][] {
  const [, table = ""] = faultTable([FAULT, UNPLAYED], runs).split("\n\n");
  const [, , ...lines] = table.trimEnd().split("\n");
  return lines.map((text) =>
    text
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );
}

test("a line for each fault that was played, the worst of its runs beside its limit", () => {
  const runs = [keptRun(1), keptRun(2, { stalledSeconds: 1.5, cpuUse: null })];
  expect(cellsOf(runs)).toEqual([
    ["network-gone", "2", "0", "0", "0", "0", "1.50 (2)", "1.25 (3)", "0", "1.3 to 1.5"],
  ]);
});

test("what is beyond its limit is bold; limits of a broken run stretch as the machine was slow", () => {
  const late = { stalledSeconds: 2.9, bytesAfterSeconds: null };
  expect(cellsOf([keptRun(1, late)])).toEqual([
    ["network-gone", "1", "0", "**1**", "0", "0", "**2.90** (2)", "**never** (3)", "0", "1.5 to 1.5"],
  ]);
  expect(cellsOf([keptRun(1, { stalledSeconds: 2.9 })])[0]?.[3]).toBe("0");
});

test("a run that could not be watched is no run without a fault", () => {
  const [watched, unwatched] = [keptRun(1, { isPlayingAtEnd: false, endPath: "http" }), keptRun(2, null)];
  expect(cellsOf([watched, unwatched])[0]?.slice(0, 6)).toEqual([
    "network-gone",
    "2",
    "0",
    "**1**",
    "**1**",
    "**1**",
  ]);
  const values = Object.fromEntries(
    faultFigures([FAULT, UNPLAYED], [watched, unwatched]).map(({ what, value }) => [what, value]),
  );
  expect(values).toMatchObject({ runs: 2, "could not be watched to their end": 1, "films that ended": 1 });
});

test("what happened on a machine that was too busy is counted, and not judged", () => {
  const busy = { stalledSeconds: 7, cpuUse: { usedSeconds: 4, waitedSeconds: 24 } };
  const runs = [keptRun(1), keptRun(2, busy)];
  expect(cellsOf(runs)[0]?.slice(0, 7)).toEqual(["network-gone", "1", "1", "0", "0", "0", "0.40 (2)"]);
  const [counted, more] = faultFigures([FAULT], runs);
  expect([counted?.value, more?.value]).toEqual([1, 1]);
});
