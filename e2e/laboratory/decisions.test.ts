import { expect, test } from "vitest";
import { decisionsByScheme, type PolicyReport, type SchemeDecisions } from "../browser/cell/decisions.ts";
import { describeMark, markArms, requireAnswers, requireDecisions, unansweredShare } from "./decisions.ts";
import { type Condition, loadedLink } from "./matrix.ts";
import { type MatrixRequest, parseMatrixOptions } from "./options.ts";
import type { RunResult } from "./result.ts";
import { sampleFlow, samplePlan, sampleResult } from "./samples.ts";
import type { RunRecord } from "./store.ts";

const REPORT: PolicyReport = {
  ...{ scheme: "owl", is_loaded: true, decisions: 251, answered: 240, late: 4, failed: 6 },
};
const PLAN = samplePlan({ place: "relay", arm: { name: "owl", flows: [sampleFlow({ scheme: "owl" })] } });

function decisions(changes: Partial<PolicyReport> = {}): SchemeDecisions[] {
  return decisionsByScheme([{ ...REPORT, ...changes }]);
}

function result(changes: Partial<PolicyReport> = {}): RunResult {
  return { ...sampleResult(PLAN, [6], 20), decisions: decisions(changes) };
}

test.each([
  [{ is_loaded: false, decisions: 250, late: 250, failed: 0 }, "its policy is missing"],
  [{ decisions: 250, late: 3, failed: 247 }, "3 late, 247 failed"],
])("a run whose policy never answered fails: %j", (counts, why) => {
  const silent = decisions({ answered: 0, ...counts });
  expect(() => requireAnswers(silent)).toThrow(`owl answered 0 of 250 decisions: ${why}`);
});

test("one in which nothing was to be decided, or not in time to see, does not", () => {
  requireAnswers(decisions({ decisions: 0, answered: 0, late: 0, failed: 0 }));
  requireAnswers(decisions({ decisions: 1, answered: 0, late: 0, failed: 0 }));
});

test("an emulated run in which nobody told of a learned scheme's decisions fails", () => {
  const learned = new Set(["owl"]);
  expect(() => requireDecisions([], PLAN, learned)).toThrow(
    "neither server nor receiver told of the decisions of owl",
  );
  requireDecisions(decisions(), PLAN, learned);
  requireDecisions([], samplePlan({ place: "relay" }), learned);
});

test("what is late or failed counts, of the scheme that fared worst", () => {
  // 10 of 251, and 20 of 251
  const both = [...decisions(), ...decisions({ scheme: "zixia", late: 14 })];
  expect(unansweredShare({ decisions: both })).toBeCloseTo(20 / 251, 12);
  expect(unansweredShare({ decisions: [] })).toBeNull();
  expect(unansweredShare({ decisions: decisions({ decisions: 0 }) })).toBeNull();
});

test("more than a twentieth is a mark", () => {
  expect(describeMark(result({ decisions: 200 }))).toBeNull(); // 10 of 200
  expect(describeMark(result({ decisions: 100 }))).toBe("its policy missed 10 % of the decisions");
});

test("a marked arm says so wherever its name stands, by the worst of its runs", () => {
  const known = {
    schemes: ["owl", "cubic"],
    receiverDriven: [],
    presets: ["on-demand"],
    defaultPreset: "on-demand",
  };
  const line = "--schemes cubic,owl --baseline owl";
  const request = parseMatrixOptions(line.split(" "), known) as MatrixRequest;
  const traces = { name: "24mbit", downlink: "1\n", uplink: "1\n", downlinkSha256: "a", uplinkSha256: "a" };
  const [choice] = request.links as [MatrixRequest["links"][number]];
  const cubic = samplePlan({ place: "relay" });
  const condition: Condition = {
    ...{ place: "relay", link: loadedLink(choice, traces), references: [] },
    arms: [cubic.arm, PLAN.arm],
    runs: [cubic, PLAN],
  };
  const record = (changes: Partial<PolicyReport>): RunRecord => ({
    ...{ plan: PLAN, result: result(changes), failure: null, finishedAt: "", wallSeconds: 1 },
  });
  const marked = markArms({ request, conditions: [condition] }, [
    record({}),
    record({ decisions: 100, answered: 87, late: 13, failed: 0 }),
    { ...record({}), plan: cubic, result: sampleResult(cubic, [6], 20) },
  ]);
  const names = ["cubic", "owl (policy missed 13 %)"];
  expect(marked.request.baseline).toBe(names[1]);
  expect(marked.conditions[0]?.arms.map(({ name }) => name)).toEqual(names);
  expect(marked.conditions[0]?.runs.map(({ arm }) => arm.name)).toEqual(names);
});
