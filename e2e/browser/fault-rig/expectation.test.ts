import { expect, test } from "vitest";
import { brokenExpectations, isTooBusy } from "./expectation.ts";
import type { Expected } from "./fault.ts";
import type { Outcome } from "./outcome.ts";

/** On this machine threads waited as long as they ran. */
const BUSY = { usedSeconds: 2, waitedSeconds: 2 };
const IDLE = { usedSeconds: 2, waitedSeconds: 0 };

test("a film that does all that is expected of it breaks nothing", () => {
  expect(brokenExpectations(outcome(), EVERYTHING)).toEqual([]);
});

test.each([
  [{ endPath: "http" }, "ends over http, not over webtransport"],
  [{ endPath: null }, "ends over null, not over webtransport"],
  [{ paths: ["webtransport", "http"] }, "came over webtransport, http, not over webtransport"],
  [{ httpSegments: 2 }, "2 segments came over HTTP, where none may"],
  [{ notice: null }, "the page says null, which does not match /Continuing/"],
  [{ isPlayingAtEnd: false }, "the film stands still at the end"],
  [{ telemetry: { sessions: 1, missing: 2, dropped: 0 } }, "telemetry: 2 missing, 0 dropped"],
  [{ telemetry: { sessions: 1, missing: 0, dropped: 3 } }, "telemetry: 0 missing, 3 dropped"],
  [{ problems: ["ERR_FAILED", "TypeError"] }, "the console shows: TypeError"],
  [{ stalledSeconds: 2.5 }, "stalled: 2.50 s, not under 2.50 s"],
  [{ heldUpSeconds: 0.5 }, "stood still with data ahead: 0.50 s, not under 0.50 s"],
  [{ bytesAfterSeconds: 4 }, "bytes flow again: 4.00 s, not under 4.00 s"],
  [{ bytesAfterSeconds: null }, "bytes flow again: never, not under 4.00 s"],
  [{ firstFrameSeconds: 5.25 }, "first frame: 5.25 s, not under 5.00 s"],
] satisfies [Partial<Outcome>, string][])("%j breaks one expectation", (changes, sentence) => {
  expect(brokenExpectations(outcome(changes), EVERYTHING)).toEqual([sentence]);
});

test("where segments must come over HTTP, none is one too few", () => {
  const expected = { ...EVERYTHING, httpSegments: "some" } as const;
  expect(brokenExpectations(outcome(), expected)).toEqual(["no segment came over HTTP"]);
  expect(brokenExpectations(outcome({ httpSegments: 1 }), expected)).toEqual([]);
});

test("limits stretch as much as threads waited", () => {
  const late = { stalledSeconds: 4.4, heldUpSeconds: 2.4, bytesAfterSeconds: 7.9, firstFrameSeconds: 9.9 };
  expect(brokenExpectations(outcome({ ...late, cpuUse: BUSY }), EVERYTHING)).toEqual([]);
  expect(brokenExpectations(outcome({ ...late, cpuUse: IDLE }), EVERYTHING)).toHaveLength(4);
});

test("a machine is too busy where threads wait more than four times as long as they run", () => {
  expect(isTooBusy({ cpuUse: { usedSeconds: 2, waitedSeconds: 8 } })).toBe(false);
  expect(isTooBusy({ cpuUse: { usedSeconds: 2, waitedSeconds: 8.1 } })).toBe(true);
  expect(isTooBusy({ cpuUse: null })).toBe(false);
});

test("a decoder is held to what it waited only where the system tells how long", () => {
  expect(brokenExpectations(outcome({ heldUpSeconds: 9, cpuUse: null }), EVERYTHING)).toEqual([]);
});

test("what is not expected is not looked at", () => {
  const { stalledSeconds, endPath, consoleProblems } = EVERYTHING;
  const unseen = {
    bytesAfterSeconds: null,
    firstFrameSeconds: null,
    notice: null,
    httpSegments: 9,
    paths: [],
  };
  expect(brokenExpectations(outcome(unseen), { stalledSeconds, endPath, consoleProblems })).toEqual([]);
});

const EVERYTHING: Expected = {
  stalledSeconds: 2,
  bytesAfterSeconds: 3,
  firstFrameSeconds: 4,
  endPath: "webtransport",
  paths: ["webtransport"],
  httpSegments: "none",
  notice: /Continuing/,
  consoleProblems: [/ERR_FAILED/],
};

function outcome(changes: Partial<Outcome> = {}): Outcome {
  return {
    lastedSeconds: 0,
    firstFrameSeconds: 1,
    stalledSeconds: 0,
    heldUpSeconds: 0,
    bufferAtStrikeSeconds: 8,
    bytesAfterSeconds: 1,
    playedSeconds: 10,
    isPlayingAtEnd: true,
    endPath: "webtransport",
    webTransportAfterSeconds: 0,
    paths: ["webtransport"],
    httpSegments: 0,
    notice: "Continuing over WebTransport",
    problems: [],
    cpuUse: IDLE,
    telemetry: { sessions: 1, missing: 0, dropped: 0 },
    ...changes,
  };
}
