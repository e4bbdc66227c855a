import type { MediaPlayerSettingClass } from "dashjs";
import { DASHJS_RULES, type RuleChoice } from "../rules/registry.ts";
import { BANDWIDTH_SAFETY_FACTOR } from "./throughput-source.ts";

/** How segments travel. */
export type SegmentTransport = "webtransport" | "http";

/** Where the player stops fetching, below the top quality; dash.js's own default. */
export const BUFFER_TARGET_SECONDS = 18;

/** Of the first segments, before anything was measured; dash.js's own default. */
const INITIAL_VIDEO_KILOBITS_PER_SECOND = 1000;

/** dash.js takes no step up for this long after it gave up a download; its own default. */
const ABANDON_HOLD_MS = 10_000;
/** NuwaRule decides for itself when to step up again; this only lets the replacement come through. */
const NUWA_ABANDON_HOLD_MS = 2000;

/**
 * The settings of dash.js, the same for every rule but for which of its rules are on, and free of what would make one
 * run depend on another (stored bitrates) or on the Internet (clock servers).
 */
export function playerSettings(rule: RuleChoice, transport: SegmentTransport): MediaPlayerSettingClass {
  const isActive = (name: (typeof DASHJS_RULES)[number]) => ({ active: rule.dashjsRules.includes(name) });
  const rules = Object.fromEntries(DASHJS_RULES.map((name) => [name, isActive(name)]));
  return {
    streaming: {
      abandonLoadTimeout: rule.dashjsRules.length === 0 ? NUWA_ABANDON_HOLD_MS : ABANDON_HOLD_MS,
      lastBitrateCachingInfo: { enabled: false },
      lastMediaSettingsCachingInfo: { enabled: false },
      utcSynchronization: { enabled: false },
      // Nothing is cached on the way of a segment, and loopback is faster than any threshold.
      cacheLoadThresholds: { video: 0, audio: 0 },
      buffer: {
        bufferTimeDefault: BUFFER_TARGET_SECONDS,
        bufferTimeAtTopQuality: 30,
        bufferTimeAtTopQualityLongForm: 30,
        // Replacing what is already buffered spends bandwidth twice and makes the buffer's level mean two things.
        fastSwitchEnabled: false,
      },
      abr: {
        limitBitrateByPortal: false,
        initialBitrate: { audio: -1, video: INITIAL_VIDEO_KILOBITS_PER_SECOND },
        rules,
        throughput: {
          bandwidthSafetyFactor: BANDWIDTH_SAFETY_FACTOR,
          useDeadTimeLatency: true,
          // Segments that come through the receiver have no entry there, and the traces carry their arrival times.
          useResourceTimingApi: transport === "http",
        },
      },
    },
  } as MediaPlayerSettingClass;
}
