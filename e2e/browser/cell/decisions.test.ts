import { expect, test } from "vitest";
import { decisionsByScheme, type PolicyReport, serverReports } from "./decisions.ts";

const REPORT: PolicyReport = {
  ...{ scheme: "owl", is_loaded: true, decisions: 251, answered: 240, late: 4, failed: 6 },
};

test("a server's lines are searched for what they say of policies", () => {
  const said = JSON.stringify({ event: "policy", policy: "owl", ...REPORT });
  expect(serverReports(['{"event":"beat"}', said])).toMatchObject([REPORT]);
});

test("the flows of a scheme are counted together, and one without its policy is enough", () => {
  const missing = { ...REPORT, is_loaded: false, decisions: 10, answered: 0, late: 9, failed: 0 };
  expect(decisionsByScheme([REPORT, { ...REPORT, scheme: "zixia" }, missing])).toEqual([
    { scheme: "owl", isLoaded: false, decisions: 261, answered: 240, late: 13, failed: 6 },
    { scheme: "zixia", isLoaded: true, decisions: 251, answered: 240, late: 4, failed: 6 },
  ]);
});
