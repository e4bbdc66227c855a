import type { Representation } from "dashjs";
import { describe, expect, it } from "vitest";
import { RULES } from "../rules/registry.ts";
import type { NetworkEstimate } from "../session/network-estimate.ts";
import { CUSTOM_RULES, type CustomRuleOptions, makeAbandonRule, makeQualityRule } from "./custom-rules.ts";
import type { FragmentRequest, RulesContext } from "./dashjs-internals.ts";

const representation = (id: string, bandwidth: number): Representation =>
  ({ id, bandwidth, fragmentDuration: 2 }) as Representation;

// Out of order, as dash.js sorts by pixels and not by bitrate.
const REPRESENTATIONS = [representation("b", 2.8e6), representation("a", 0.7e6), representation("c", 8e6)];
const byId = (id: string): Representation => {
  const found = REPRESENTATIONS.find((entry) => entry.id === id);
  if (found === undefined) {
    throw new Error(`no representation ${id}`);
  }
  return found;
};

const estimate = {
  queueingDelaySeconds: 0.04,
  targetDelaySeconds: 0.04,
  smoothedRttSeconds: 0.05,
} as NetworkEstimate;

function options(megabitsPerSecond: number | null, bufferSeconds: number): CustomRuleOptions {
  const bitsPerSecond = (megabitsPerSecond ?? 0) * 1e6;
  return {
    player: {
      getBufferLength: () => bufferSeconds,
      getCurrentRepresentationForType: () => representation("audio", 128_000),
    },
    estimate: () => estimate,
    outlook: () =>
      megabitsPerSecond === null
        ? null
        : { nowBitsPerSecond: bitsPerSecond, sustainedBitsPerSecond: bitsPerSecond, variation: 0 },
    bufferTargetSeconds: () => 18,
    isActive: () => true,
  };
}

function context(changes: {
  mediaType?: string;
  current?: string;
  request?: Partial<FragmentRequest>;
}): RulesContext {
  const { mediaType = "video", current = "b", request = {} } = changes;
  return {
    getAbrController: () => ({ getPossibleVoRepresentationsFilteredBySettings: () => REPRESENTATIONS }),
    getThroughputController: () => {
      throw new Error("our rules are told the throughput");
    },
    getCurrentRequest: () => request as FragmentRequest,
    getMediaInfo: () => ({}),
    getMediaType: () => mediaType,
    getRepresentation: () => byId(current),
  };
}

it("has what every choice without rules of dash.js needs", () => {
  for (const { name, dashjsRules } of RULES) {
    expect(name in CUSTOM_RULES).toBe(dashjsRules.length === 0);
  }
});

describe("NuwaRule in dash.js", () => {
  it("asks strongly for a representation, with its numbers as the reason", () => {
    const request = makeQualityRule(options(20, 15)).getSwitchRequest(context({}));
    expect(request).toMatchObject({
      representation: byId("c"),
      priority: 1,
      rule: "NuwaRule",
      reason: { why: "plan", bandwidthBitsPerSecond: 20e6, bufferSeconds: 15 },
    });
  });

  it("falls by bitrate, not by the order in which dash.js lists", () => {
    expect(makeQualityRule(options(1, 5)).getSwitchRequest(context({})).representation).toBe(byId("a"));
  });

  it("keeps to the present one while nothing was measured", () => {
    expect(makeQualityRule(options(null, 0)).getSwitchRequest(context({})).representation).toBe(byId("b"));
  });

  it("leaves audio alone", () => {
    expect(
      makeQualityRule(options(20, 15)).getSwitchRequest(context({ mediaType: "audio" })).representation,
    ).toBeNull();
  });
});

describe("NuwaRule's abandonment in dash.js", () => {
  const request: Partial<FragmentRequest> = {
    type: "MediaSegment",
    duration: 2,
    bytesLoaded: 100_000,
    bytesTotal: 2_000_000,
    firstByteDate: new Date(Date.now() - 2000),
    representation: byId("c"),
  };

  it("replaces a download that would stall the film", () => {
    const asked = makeAbandonRule(options(1, 3)).shouldAbandon(context({ current: "c", request }));
    expect(asked).toMatchObject({ representation: byId("a"), reason: { why: "download would stall" } });
  });

  it.each([
    ["comes in time", options(40, 10), request],
    ["has not begun", options(1, 3), { ...request, firstByteDate: null }],
    ["has no known size", options(1, 3), { ...request, bytesTotal: Number.NaN }],
    ["is no segment", options(1, 3), { ...request, type: "InitializationSegment" }],
  ])("goes on with one that %s", (_name, rule, changes) => {
    const asked = makeAbandonRule(rule).shouldAbandon(context({ current: "c", request: changes }));
    expect(asked.representation).toBeNull();
  });
});

describe("NuwaRule after it was removed", () => {
  it("asks for nothing, though dash.js still asks it", () => {
    const removed = { ...options(20, 10), isActive: () => false };
    expect(makeQualityRule(removed).getSwitchRequest(context({})).representation).toBeNull();
    expect(makeAbandonRule(removed).shouldAbandon(context({})).representation).toBeNull();
  });
});
