import type { MediaPlayerClass, Representation } from "dashjs";
import { describe, expect, it, vi } from "vitest";
import type { NetworkEstimate } from "../receiver/network-estimate.ts";
import { RULES } from "../rules/registry.ts";
import type { QualityRule } from "./custom-rules.ts";
import type { RulesContext } from "./dashjs-internals.ts";
import { type EstimatorName, FilmPlayer } from "./film-player.ts";

const REPRESENTATIONS = [
  { id: "a", bandwidth: 0.7e6, fragmentDuration: 2 },
  { id: "b", bandwidth: 2.8e6, fragmentDuration: 2 },
] as Representation[];

const context: RulesContext = {
  getAbrController: () => ({ getPossibleVoRepresentationsFilteredBySettings: () => REPRESENTATIONS }),
  getCurrentRequest: () => {
    throw new Error("a quality rule asks for no request");
  },
  getMediaInfo: () => ({}),
  getMediaType: () => "video",
  getRepresentation: () => REPRESENTATIONS[0] ?? null,
};

const receiversOutlook = { nowBitsPerSecond: 20e6, sustainedBitsPerSecond: 20e6, variation: 0 };

/** The quality rule that a film player registers, and what it may read of the receiver. */
function registeredRule(estimator: EstimatorName) {
  const registered: QualityRule[] = [];
  const player = {
    extend: vi.fn(),
    updateSettings: vi.fn(),
    on: vi.fn(),
    initialize: vi.fn(),
    addABRCustomRule: (type: string, _name: string, factory: () => { create(): QualityRule }) => {
      if (type === "qualitySwitchRules") {
        registered.push(factory().create());
      }
    },
    getBufferLength: () => 10,
    getCurrentRepresentationForType: () => null,
  };
  const estimate = vi.fn(
    () =>
      ({ queueingDelaySeconds: 0.2, targetDelaySeconds: 0.04, smoothedRttSeconds: 0.05 }) as NetworkEstimate,
  );
  const outlook = vi.fn(() => receiversOutlook);
  new FilmPlayer({
    dashjs: { MediaPlayer: () => ({ create: () => player as unknown as MediaPlayerClass }) },
    video: {} as HTMLVideoElement,
    manifestUrl: "http://localhost:8080/media/manifest.mpd",
    rule: RULES[0],
    estimator,
    transport: "webtransport",
    receiver: () => Promise.reject(new Error("nothing is fetched here")),
    estimate,
    outlook,
    startSeconds: null,
    autoplay: false,
    nowMs: () => 0,
    onError: vi.fn(),
    onAutoplayRefused: vi.fn(),
  });
  const [rule] = registered;
  if (rule === undefined) {
    throw new Error("no quality rule was registered");
  }
  return { rule, estimate, outlook };
}

describe("NuwaRule in a film player", () => {
  it("goes by the receiver's estimate and queue", () => {
    const { rule } = registeredRule("nuwa");
    expect(rule.getSwitchRequest(context).reason).toMatchObject({
      queueingDelaySeconds: 0.2,
      bandwidthBitsPerSecond: 20e6,
    });
  });

  it("with dash.js's estimator is told nothing that the receiver measured", () => {
    const { rule, estimate, outlook } = registeredRule("dashjs");
    expect(rule.getSwitchRequest(context).reason).toMatchObject({
      queueingDelaySeconds: 0,
      bandwidthBitsPerSecond: null,
    });
    expect(estimate).not.toHaveBeenCalled();
    expect(outlook).not.toHaveBeenCalled();
  });
});
