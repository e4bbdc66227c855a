import { expect, test } from "vitest";
import { findPolicyProblems, requirePolicies } from "./policy-check.ts";
import { sampleFlow, samplePlan } from "./samples.ts";

const SENTENCE = "policy 'owl' has no card policies/owl.json; known policies: bbr-fit";
const FLOWS = [sampleFlow(), sampleFlow({ scheme: "owl" }), sampleFlow({ scheme: "owl" })];
const PLAN = samplePlan({ place: "relay", arm: { name: "three", flows: FLOWS } });

function node(script: string): readonly [string, ...string[]] {
  return [process.execPath, "-e", script, "--"];
}

test("each scheme is asked for once", async () => {
  const echo = node(
    "console.log(JSON.stringify(Object.fromEntries(process.argv.slice(1).map((n) => [n, null]))))",
  );
  expect(await findPolicyProblems([PLAN, PLAN], echo)).toEqual({ cubic: null, owl: null });
});

test("without a run nobody is asked", async () => {
  expect(await findPolicyProblems([], ["/nonexistent"])).toEqual({});
});

test("who cannot say is told of", async () => {
  const failing = node("console.error('No module named models'); process.exit(1)");
  await expect(findPolicyProblems([PLAN], failing)).rejects.toThrow(
    "which schemes have a policy is not known: No module named models",
  );
});

test("a run without a policy that it needs is refused with the simulation's sentence", () => {
  expect(() => requirePolicies(PLAN, { owl: SENTENCE })).toThrow(SENTENCE);
  requirePolicies(PLAN, { owl: null });
});
