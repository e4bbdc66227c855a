import { expect, test } from "vitest";
import { canonicalJson, describeFlow, planKey, type RunPlan } from "./plan.ts";
import { samplePlan } from "./samples.ts";

const PLAN = samplePlan();

test("a key does not depend on the order of fields, nor on what the arm is called", () => {
  const turned = Object.fromEntries(Object.entries(PLAN).toReversed()) as unknown as RunPlan;
  expect(planKey(turned, "sources")).toBe(planKey(PLAN, "sources"));
  const renamed = { ...PLAN, arm: { ...PLAN.arm, name: "other" } };
  expect(planKey(renamed, "sources")).toBe(planKey(PLAN, "sources"));
});

test.each([
  ["seed", { seed: 2 }],
  ["place", { place: "relay" }],
  ["trace", { link: { ...PLAN.link, downlinkSha256: "b" } }],
  ["start in the trace", { link: { ...PLAN.link, startMs: 1 } }],
  ["queue", { link: { ...PLAN.link, queuePackets: null } }],
  ["flows", { arm: { ...PLAN.arm, flows: [...PLAN.arm.flows, ...PLAN.arm.flows] } }],
  ["duration", { durationSeconds: 3 }],
  ["acknowledgements", { acks: "every-packet" }],
] as const)("another %s is another key", (_, changes) => {
  expect(planKey({ ...PLAN, ...changes } as RunPlan, "sources")).not.toBe(planKey(PLAN, "sources"));
});

test("other sources are another key", () => {
  expect(planKey(PLAN, "others")).not.toBe(planKey(PLAN, "sources"));
});

test("lists keep their order", () => {
  expect(canonicalJson({ b: [2, 1], a: { d: 1, c: null } })).toBe('{"a":{"c":null,"d":1},"b":[2,1]}');
});

test("a flow is called by what is special about it", () => {
  const [flow] = PLAN.arm.flows as [RunPlan["arm"]["flows"][number]];
  expect(describeFlow(flow)).toBe("cubic");
  const late = {
    ...flow,
    startSeconds: 5,
    extraRttMs: 40,
    source: { kind: "on-off", onBytes: 9, offSeconds: 2 },
  } as const;
  expect(describeFlow(late)).toBe("cubic, from 5 s, RTT 40 ms longer, 9 bytes, then 2 s of pause");
  expect(describeFlow({ ...flow, stopSeconds: 7 })).toBe("cubic, from 0 to 7 s");
});
