import type { Representation } from "dashjs";
import { atom } from "nanostores";
import { describe, expect, it } from "vitest";
import { steady } from "../rules/made-context.ts";
import { nuwa } from "../rules/nuwa.ts";
import type { OwnRule, RuleContext } from "../rules/rule.ts";
import type { NetworkEstimate } from "../session/network-estimate.ts";
import type { FragmentRequest, RulesContext, SwitchRequest } from "./dashjs-internals.ts";
import { addOwnRule, type OwnRuleOptions } from "./own-rules.ts";

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

const NOW_MS = 1e12;

interface Rule {
  getSwitchRequest?(context: RulesContext): SwitchRequest;
  shouldAbandon?(context: RulesContext): SwitchRequest;
}

/** A player that keeps the rules it is given, as dash.js does, also when they are removed. */
function add(
  megabitsPerSecond: number | null,
  bufferSeconds: number,
  rule: OwnRule = nuwa,
  playbackRate = 1,
) {
  const rules = new Map<string, Rule>();
  const removed: string[] = [];
  const errors: string[] = [];
  const player = {
    getBufferLength: () => bufferSeconds,
    getCurrentRepresentationForType: () => representation("audio", 128_000),
    duration: () => 100,
    getLowLatencyModeEnabled: () => false,
    getPlaybackRate: () => playbackRate,
    isDynamic: () => false,
    time: () => 40,
    getSettings: () => ({ streaming: { buffer: { bufferTimeDefault: 18, bufferTimeAtTopQuality: 30 } } }),
    addABRCustomRule: (type: string, _name: string, factory: object) => {
      rules.set(type, (factory as () => { create(): Rule })().create());
    },
    removeABRCustomRule: (name: string) => removed.push(name),
    trigger: (_type: string, { error }: { error: Error }) => errors.push(error.message),
  };
  const outlook = megabitsPerSecond === null ? null : steady(megabitsPerSecond);
  const remove = addOwnRule({
    player: player as unknown as OwnRuleOptions["player"],
    rule,
    network: {
      estimate: atom(estimate),
      expectedBits: (nominal, seconds) => nominal * seconds,
      outlook: () => outlook,
      pastDownloads: () => [],
      rememberOutlook: () => undefined,
      firstByteSeconds: () => 0.05,
      roundTripSeconds: () => 2.4,
      segmentThroughputs: () => [3e6, 4e6],
    },
    vmaf: {
      ahead: (ids, fromSeconds) => ids.map((_, rung) => [fromSeconds + rung]),
      before: (_id, fromSeconds) => fromSeconds - 1,
    },
    nowMs: () => NOW_MS,
  });
  return {
    quality: (at: RulesContext) => rules.get("qualitySwitchRules")?.getSwitchRequest?.(at),
    abandon: (at: RulesContext) => rules.get("abandonFragmentRules")?.shouldAbandon?.(at),
    rules,
    removed,
    errors,
    remove,
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

describe("NuwaRule in dash.js", () => {
  it("asks strongly for a representation, with its numbers as the reason", () => {
    const request = add(20, 15).quality(context({}));
    expect(request).toMatchObject({
      representation: byId("c"),
      priority: 1,
      rule: "NuwaRule",
      reason: { why: "plan", bandwidthBitsPerSecond: 20e6, bufferSeconds: 15 },
    });
  });

  it("falls by bitrate, not by the order in which dash.js lists", () => {
    expect(add(1, 5).quality(context({}))?.representation).toBe(byId("a"));
  });

  it("keeps to the present one while nothing was measured", () => {
    expect(add(null, 0).quality(context({}))?.representation).toBe(byId("b"));
  });

  it("leaves audio alone", () => {
    expect(add(20, 15).quality(context({ mediaType: "audio" }))?.representation).toBeNull();
  });
});

describe("NuwaRule's abandonment in dash.js", () => {
  const request: Partial<FragmentRequest> = {
    type: "MediaSegment",
    duration: 2,
    bytesLoaded: 100_000,
    bytesTotal: 2_000_000,
    firstByteDate: new Date(NOW_MS - 2000),
    startDate: new Date(NOW_MS - 2100),
    traces: [{ d: 2050 }],
    representation: byId("c"),
  };

  it("replaces a download that would stall the film", () => {
    const asked = add(1, 3).abandon(context({ current: "c", request }));
    expect(asked).toMatchObject({ representation: byId("a"), reason: { why: "download would stall" } });
    expect(asked?.reason).toMatchObject({ replacementSeconds: expect.closeTo(3.8, 9) }); // behind what is under way, 1.4 Mbit at 1 Mbit/s
  });

  it("replaces one of which nothing has come", () => {
    const nothing = { bytesLoaded: Number.NaN, bytesTotal: Number.NaN, firstByteDate: null, traces: [] };
    const asked = add(1, 3).abandon(context({ current: "c", request: { ...request, ...nothing } }));
    expect(asked).toMatchObject({ representation: byId("a"), reason: { bufferSeconds: 3 } });
    expect(asked?.reason).toMatchObject({ silentSeconds: expect.any(Number) });
  });

  it.each([
    ["comes in time", add(40, 10), request],
    ["was not asked for", add(1, 3), { ...request, startDate: null }],
    ["is no segment", add(1, 3), { ...request, type: "InitializationSegment" }],
  ])("goes on with one that %s", (_name, rule, changes) => {
    const asked = rule.abandon(context({ current: "c", request: changes }));
    expect(asked?.representation).toBeNull();
  });
});

describe("any rule of this project", () => {
  const lowest: OwnRule = {
    name: "lowest",
    title: "Lowest",
    summary: "Always the lowest.",
    decide: () => ({ index: 0, reason: { why: "always" } }),
  };

  it("decides under its own title", () => {
    const request = add(20, 15, lowest).quality(context({}));
    expect(request).toMatchObject({ representation: byId("a"), rule: "Lowest", reason: { why: "always" } });
  });

  /** What a rule sees of 15 s of buffer over 20 Mbit/s. */
  function seen(playbackRate?: number): RuleContext | null {
    let told: RuleContext | null = null;
    const curious: OwnRule = {
      ...lowest,
      decide: (given) => {
        told = given;
        return lowest.decide(given);
      },
    };
    add(20, 15, curious, playbackRate).quality(context({}));
    return told;
  }

  it("sees the throughputs of past segments", () => {
    expect(seen()?.segmentThroughputsBitsPerSecond).toEqual([3e6, 4e6]);
  });

  it("sees how much can be buffered, what is left of a film that ends, and what it weighs", () => {
    // 100 - 40 - 15 = 45 s of segments of 2 s; the next one begins at 55 s.
    expect(seen()).toMatchObject({
      reachableBufferSeconds: [16, 16, 28],
      remainingSegments: 23,
      roundTripSeconds: 0.05,
      segmentBits: [[1.4e6], [5.6e6], [16e6]],
      segmentVmaf: [[55], [56], [57]],
      previousVmaf: 54,
    });
  });

  it("sees a film that is played at twice the speed by the viewer's clock", () => {
    expect(seen(2)).toEqual({
      ...seen(1),
      segmentSeconds: 1,
      bufferSeconds: 7.5,
      reachableBufferSeconds: [8, 8, 14],
      otherBitsPerSecond: 256_000,
    });
  });

  it("has less at twice the speed over the same link", () => {
    expect(add(4, 4, nuwa, 1).quality(context({}))?.representation).toBe(byId("b"));
    expect(add(4, 4, nuwa, 2).quality(context({}))?.representation).toBe(byId("a"));
  });

  it("gives up no download unless it says when", () => {
    expect([...add(20, 15, lowest).rules.keys()]).toEqual(["qualitySwitchRules"]);
  });

  it("asks for nothing when it was removed, though dash.js still asks it", () => {
    const { quality, abandon, remove, removed } = add(20, 10);
    remove();
    expect(removed).toEqual(["NuwaRule", "NuwaRuleAbandon"]);
    expect(quality(context({}))?.representation).toBeNull();
    expect(abandon(context({}))?.representation).toBeNull();
  });
});

describe("a rule that makes a mistake", () => {
  const fault = (decide: () => unknown): OwnRule => ({
    ...nuwa,
    title: "Anna's",
    decide: decide as OwnRule["decide"],
  });

  it.each([-1, 1.5, Number.NaN, 3, undefined])(
    "by answering rung %s changes nothing, and is told once",
    (index) => {
      const { quality, errors } = add(
        20,
        15,
        fault(() => ({ index, reason: { why: "guess" } })),
      );
      expect(quality(context({}))?.representation).toBeNull();
      quality(context({}));
      expect(errors).toEqual([
        `The rule Anna's answered rung ${index}; let it answer a whole number from 0 to 2.`,
      ]);
    },
  );

  it("by answering nothing is told", () => {
    const { quality, errors } = add(
      20,
      15,
      fault(() => undefined),
    );
    quality(context({}));
    expect(errors).toEqual([expect.stringContaining("Anna's answered rung undefined")]);
  });

  it("by throwing is told", () => {
    const { quality, errors } = add(
      20,
      15,
      fault(() => {
        throw new TypeError("no bits");
      }),
    );
    expect(quality(context({}))?.representation).toBeNull();
    expect(errors).toEqual([expect.stringContaining("The rule Anna's threw TypeError: no bits; mend it")]);
  });
});
