/**
 * NuwaRule as dash.js takes rules. The factories have the shape that `FactoryMaker.getClassFactory` gives but do not
 * pass through it: it keeps the first function of a name for as long as the page lives, and every player needs its own.
 */

import type { MediaPlayerClass, Representation } from "dashjs";
import type { BandwidthOutlook } from "../rules/bandwidth-outlook.ts";
import { chooseAbandon } from "../rules/nuwa-abandon.ts";
import { chooseRepresentation } from "../rules/nuwa-rule.ts";
import type { NetworkEstimate } from "../session/network-estimate.ts";
import { type RulesContext, STRONG_PRIORITY, type SwitchRequest } from "./dashjs-internals.ts";

export interface CustomRuleOptions {
  readonly player: Pick<MediaPlayerClass, "getBufferLength" | "getCurrentRepresentationForType">;
  /** The receiver's; null where it is unknown or not to be used, and then no queueing delay counts. */
  readonly estimate: () => NetworkEstimate | null;
  readonly outlook: () => BandwidthOutlook | null;
  readonly bufferTargetSeconds: () => number;
  /** Whether the rule still has a say: dash.js keeps a rule's object when the rule was removed. */
  readonly isActive: () => boolean;
}

const RULE_NAME = "NuwaRule";
const UNMEASURED_ROUND_TRIP_SECONDS = 0.1; // RFC 9002's initial RTT is 0.333 s; a film's server is nearer

interface Rule {
  getClassName(): string;
  reset(): void;
}

export interface QualityRule extends Rule {
  getSwitchRequest(context: RulesContext): SwitchRequest;
}

export interface AbandonRule extends Rule {
  shouldAbandon(context: RulesContext): SwitchRequest;
}

/** A rule of this project as dash.js is to know it. */
export interface CustomRule {
  readonly type: "qualitySwitchRules" | "abandonFragmentRules";
  /** Under which dash.js keeps it. */
  readonly name: string;
  readonly make: (options: CustomRuleOptions) => QualityRule | AbandonRule;
}

/** The rules behind a name of rules/registry.ts. */
export const CUSTOM_RULES: Readonly<Record<string, readonly CustomRule[]>> = {
  nuwa: [
    { type: "qualitySwitchRules", name: RULE_NAME, make: makeQualityRule },
    { type: "abandonFragmentRules", name: `${RULE_NAME}Abandon`, make: makeAbandonRule },
  ],
};

/** Before the source is attached, where dash.js reads rules. What it returns removes them. */
export function addCustomRules(
  player: Pick<MediaPlayerClass, "addABRCustomRule" | "removeABRCustomRule">,
  rules: readonly CustomRule[],
  options: CustomRuleOptions,
): () => void {
  for (const { type, name, make } of rules) {
    const rule = make(options);
    player.addABRCustomRule(type, name, () => ({ create: () => rule }));
  }
  return () => {
    for (const { name } of rules) {
      player.removeABRCustomRule(name);
    }
  };
}

const NO_CHANGE: SwitchRequest = {
  representation: null,
  reason: null,
  rule: RULE_NAME,
  priority: STRONG_PRIORITY,
};

/** Representations by bitrate, and the place of one among them. */
function ladderOf(context: RulesContext, current: Representation | null) {
  const representations = context
    .getAbrController()
    .getPossibleVoRepresentationsFilteredBySettings(context.getMediaInfo(), true)
    .toSorted((a, b) => a.bandwidth - b.bandwidth);
  const index = representations.findIndex(({ id }) => id === current?.id);
  return {
    representations,
    ladderBitsPerSecond: representations.map(({ bandwidth }) => bandwidth),
    currentIndex: index === -1 ? null : index,
  };
}

export function makeQualityRule(options: CustomRuleOptions): QualityRule {
  return {
    getClassName: () => RULE_NAME,
    reset: () => undefined,
    getSwitchRequest(context) {
      const current = context.getRepresentation();
      const { representations, ladderBitsPerSecond, currentIndex } = ladderOf(context, current);
      if (!options.isActive() || context.getMediaType() !== "video" || representations.length === 0) {
        return NO_CHANGE;
      }
      const estimate = options.estimate();
      const choice = chooseRepresentation({
        ladderBitsPerSecond,
        currentIndex,
        segmentSeconds: current?.fragmentDuration ?? current?.segmentDuration ?? 2,
        bufferSeconds: options.player.getBufferLength("video") || 0,
        bufferTargetSeconds: options.bufferTargetSeconds(),
        outlook: options.outlook(),
        queueingDelaySeconds: estimate?.queueingDelaySeconds ?? 0,
        targetDelaySeconds: estimate?.targetDelaySeconds ?? null,
        roundTripSeconds: estimate?.smoothedRttSeconds ?? UNMEASURED_ROUND_TRIP_SECONDS,
        otherBitsPerSecond: options.player.getCurrentRepresentationForType("audio")?.bandwidth ?? 0,
      });
      const representation = representations[choice.index] ?? null;
      return { representation, reason: choice.reason, rule: RULE_NAME, priority: STRONG_PRIORITY };
    },
  };
}

export function makeAbandonRule(options: CustomRuleOptions): AbandonRule {
  return {
    getClassName: () => RULE_NAME,
    reset: () => undefined,
    shouldAbandon(context) {
      const request = context.getCurrentRequest();
      if (
        !options.isActive() ||
        context.getMediaType() !== "video" ||
        request.type !== "MediaSegment" ||
        request.firstByteDate === null ||
        !Number.isFinite(request.bytesTotal)
      ) {
        return NO_CHANGE;
      }
      const { representations, ladderBitsPerSecond, currentIndex } = ladderOf(
        context,
        request.representation,
      );
      if (currentIndex === null) {
        return NO_CHANGE;
      }
      const choice = chooseAbandon({
        ladderBitsPerSecond,
        index: currentIndex,
        segmentSeconds: request.duration,
        elapsedSeconds: (Date.now() - request.firstByteDate.getTime()) / 1000,
        loadedBytes: request.bytesLoaded,
        totalBytes: request.bytesTotal,
        bufferSeconds: options.player.getBufferLength("video") || 0,
        outlook: options.outlook(),
      });
      const representation = choice === null ? null : (representations[choice.index] ?? null);
      if (choice === null || representation === null) {
        return NO_CHANGE;
      }
      return { representation, reason: choice.reason, rule: RULE_NAME, priority: STRONG_PRIORITY };
    },
  };
}
