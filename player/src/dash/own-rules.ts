/**
 * Any rule of this project as dash.js takes rules. The factories have the shape that `FactoryMaker.getClassFactory` gives
 * but do not pass through it: it keeps the first function of a name for as long as the page lives, and every player
 * needs its own.
 */

import type { MediaPlayerClass, MediaPlayerEvent, Representation } from "dashjs";
import type { Decision, DownloadContext, OwnRule, RuleContext } from "../rules/rule.ts";
import { type RulesContext, STRONG_PRIORITY, type SwitchRequest } from "./dashjs-internals.ts";
import type { FilmVmaf } from "./film-vmaf.ts";
import { type BufferingPlayer, reachableBufferSeconds } from "./reachable-buffer.ts";
import { answerOf, noRungFault, RuleFault } from "./rule-fault.ts";
import type { RuleNetwork } from "./rule-network.ts";

/** dash.js's types have the event where its code has the event's name. */
const ERROR = "error" as unknown as MediaPlayerEvent;

/** Where a manifest tells no length. */
const USUAL_SEGMENT_SECONDS = 2;

type RulePlayer = BufferingPlayer &
  Pick<
    MediaPlayerClass,
    | "addABRCustomRule"
    | "getBufferLength"
    | "getCurrentRepresentationForType"
    | "getPlaybackRate"
    | "removeABRCustomRule"
    | "time"
    | "trigger"
  >;

export interface OwnRuleOptions {
  readonly player: RulePlayer;
  readonly rule: OwnRule;
  readonly network: Pick<
    RuleNetwork,
    | "estimate"
    | "expectedBits"
    | "firstByteSeconds"
    | "outlook"
    | "pastDownloads"
    | "rememberOutlook"
    | "roundTripSeconds"
    | "segmentThroughputs"
  >;
  /** For a rule that reads VMAF. */
  readonly vmaf?: Pick<FilmVmaf, "ahead" | "before"> | undefined;
  /** ms of the epoch. */
  readonly nowMs: () => number;
}

/**
 * Adds a rule, before the source is attached, where dash.js reads rules. What it returns removes it. A rule that throws, or
 * answers no rung, changes nothing, and its first RuleFault is an `error` of the player.
 */
export function addOwnRule(options: OwnRuleOptions): () => void {
  const { player, rule } = options;
  let isActive = true; // dash.js keeps a rule's object when the rule was removed, and still asks it
  const nothing = noChange(rule);
  let isFaulty = false;
  const ask = (decide: (context: RulesContext) => SwitchRequest | null) => (context: RulesContext) => {
    try {
      return (isActive && context.getMediaType() === "video" ? decide(context) : null) ?? nothing;
    } catch (error) {
      if (!(error instanceof RuleFault)) {
        throw error;
      }
      if (!isFaulty) {
        isFaulty = true;
        player.trigger(ERROR, { error }, {});
      }
      return nothing;
    }
  };
  const object = { getClassName: () => rule.title, reset: () => undefined };
  const quality = { ...object, getSwitchRequest: ask((context) => choose(options, context)) };
  const abandon = { ...object, shouldAbandon: ask((context) => giveUp(options, context)) };
  const abandonName = `${rule.title}Abandon`;
  player.addABRCustomRule("qualitySwitchRules", rule.title, () => ({ create: () => quality }));
  if (rule.abandon !== undefined) {
    player.addABRCustomRule("abandonFragmentRules", abandonName, () => ({ create: () => abandon }));
  }
  return () => {
    isActive = false;
    player.removeABRCustomRule(rule.title);
    player.removeABRCustomRule(abandonName);
  };
}

function choose(options: OwnRuleOptions, context: RulesContext): SwitchRequest | null {
  const current = context.getRepresentation();
  const ladder = ladderOf(context, current);
  if (ladder.representations.length === 0) {
    return null;
  }
  const { rule } = options;
  const seen = ruleContext(options, ladder, current);
  return toRequest(
    rule,
    ladder,
    answerOf(rule, () => rule.decide(seen)),
  );
}

function giveUp(options: OwnRuleOptions, context: RulesContext): SwitchRequest | null {
  const ladder = ladderOf(context, context.getCurrentRequest().representation);
  const { rule } = options;
  const download = downloadContext(options, ladder, context);
  const decision = download === null ? null : (answerOf(rule, () => rule.abandon?.(download)) ?? null);
  return decision === null ? null : toRequest(rule, ladder, decision);
}

interface Ladder {
  /** By bitrate: dash.js sorts by pixels. */
  readonly representations: readonly Representation[];
  readonly ladderBitsPerSecond: readonly number[];
  /** Rung of one of them; null where it is none. */
  readonly currentIndex: number | null;
}

function ladderOf(context: RulesContext, current: Representation | null): Ladder {
  const possible = context
    .getAbrController()
    .getPossibleVoRepresentationsFilteredBySettings(context.getMediaInfo(), true);
  const representations = [...possible].sort((a, b) => a.bandwidth - b.bandwidth);
  return {
    representations,
    ladderBitsPerSecond: representations.map(({ bandwidth }) => bandwidth),
    currentIndex: rungOf(current, representations),
  };
}

/** null where it is none of them. */
function rungOf(representation: Representation | null, of: readonly Representation[]): number | null {
  const rung = of.findIndex(({ id }) => id === representation?.id);
  return rung === -1 ? null : rung;
}

function ruleContext(options: OwnRuleOptions, ladder: Ladder, current: Representation | null): RuleContext {
  const { player, network, nowMs } = options;
  const otherBitsPerSecond = player.getCurrentRepresentationForType("audio")?.bandwidth ?? 0;
  network.rememberOutlook(nowMs(), otherBitsPerSecond);
  const estimate = network.estimate.get();
  const segmentSeconds = current?.fragmentDuration || current?.segmentDuration || USUAL_SEGMENT_SECONDS;
  const bufferSeconds = player.getBufferLength("video") || 0;
  const rate = playbackRate(player);
  return {
    ...knownContext(options, ladder, current, segmentSeconds, player.time() + bufferSeconds),
    currentIndex: ladder.currentIndex,
    reachableBufferSeconds: reachableBufferSeconds(player, ladder.representations.length, segmentSeconds).map(
      (seconds) => seconds / rate,
    ),
    remainingSegments: remainingSegments(player, bufferSeconds, segmentSeconds),
    segmentThroughputsBitsPerSecond: network.segmentThroughputs(),
    queueingDelaySeconds: estimate?.queueingDelaySeconds ?? 0,
    targetDelaySeconds: estimate?.targetDelaySeconds ?? null,
    roundTripSeconds: network.firstByteSeconds(),
    otherBitsPerSecond: otherBitsPerSecond * rate,
  };
}

/** What is known of a segment that begins at `fromSeconds` of the film, behind one in `previous`. */
function knownContext(
  { player, network, vmaf }: OwnRuleOptions,
  { representations, ladderBitsPerSecond }: Ladder,
  previous: Representation | null,
  segmentSeconds: number,
  fromSeconds: number,
) {
  const rate = playbackRate(player);
  return {
    ladderBitsPerSecond,
    segmentSeconds: segmentSeconds / rate,
    bufferSeconds: (player.getBufferLength("video") || 0) / rate,
    outlook: network.outlook(),
    segmentBits: ladderBitsPerSecond.map((nominal) => [network.expectedBits(nominal, segmentSeconds)]),
    segmentVmaf:
      vmaf?.ahead(
        representations.map(({ id }) => id),
        fromSeconds,
      ) ?? null,
    previousVmaf: previous === null ? null : (vmaf?.before(previous.id, fromSeconds) ?? null),
    pastDownloads: network.pastDownloads(),
  };
}

/** By which the film's seconds are shorter than the viewer's; 1 where the player tells none. */
const playbackRate = (player: RulePlayer): number => player.getPlaybackRate() || 1;

/** null where the film has no end, or its length is unknown. */
function remainingSegments(player: RulePlayer, bufferSeconds: number, segmentSeconds: number): number | null {
  const seconds = player.isDynamic() ? Number.NaN : player.duration() - player.time() - bufferSeconds;
  // A few frames more or less are no segment.
  return Number.isFinite(seconds) ? Math.max(1, Math.round(seconds / segmentSeconds)) : null;
}

/** null where there is no download to be given up. */
function downloadContext(
  options: OwnRuleOptions,
  ladder: Ladder,
  context: RulesContext,
): DownloadContext | null {
  const request = context.getCurrentRequest();
  if (request.type !== "MediaSegment" || ladder.currentIndex === null || request.startDate == null) {
    return null;
  }
  const elapsedSeconds = (options.nowMs() - request.startDate.getTime()) / 1000;
  const deliveringSeconds = request.traces.reduce((sum, { d }) => sum + d, 0) / 1000;
  const previous = context.getRepresentation();
  return {
    ...knownContext(options, ladder, previous, request.duration, request.startTime),
    index: ladder.currentIndex,
    previousIndex: rungOf(previous, ladder.representations),
    elapsedSeconds,
    silentSeconds: Math.max(0, elapsedSeconds - deliveringSeconds),
    loadedBytes: request.bytesLoaded || 0,
    totalBytes: request.bytesTotal > 0 ? request.bytesTotal : null,
    roundTripSeconds: options.network.roundTripSeconds(),
  };
}

/** @throws RuleFault */
function toRequest(
  rule: OwnRule,
  { representations }: Ladder,
  decision: Decision | undefined,
): SwitchRequest {
  const representation = representations[decision?.index ?? Number.NaN];
  if (decision === undefined || representation === undefined) {
    throw noRungFault(rule, decision, representations.length);
  }
  return { ...noChange(rule), representation, reason: decision.reason };
}

function noChange({ title }: OwnRule): SwitchRequest {
  return { representation: null, reason: null, rule: title, priority: STRONG_PRIORITY };
}
