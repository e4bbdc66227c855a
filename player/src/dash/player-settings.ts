import type { MediaPlayerSettingClass } from "dashjs";
import { DASHJS_RULES, isOwnRule, type RuleChoice } from "../rules/registry.ts";

/** How segments travel. */
export type SegmentTransport = "webtransport" | "http";

/** Where the page's player stops fetching, below the top quality; dash.js's own default, as all of these. */
export const BUFFER_TARGET_SECONDS = 18;
const TOP_QUALITY_BUFFER_SECONDS = 30;
/** Of films of ten minutes and more. */
const LONG_FILM_SECONDS = 600;
const LONG_FILM_TOP_QUALITY_BUFFER_SECONDS = 60;

/** The same in the top quality. */
export function topQualityBufferSeconds(filmSeconds: number): number {
  return filmSeconds >= LONG_FILM_SECONDS ? LONG_FILM_TOP_QUALITY_BUFFER_SECONDS : TOP_QUALITY_BUFFER_SECONDS;
}

/** Of the first segments, before anything was measured; dash.js's own default. */
const INITIAL_VIDEO_KILOBITS_PER_SECOND = 1000;

/**
 * dash.js takes no step up for 10 s after it gave up a download. Our rules decide for themselves when to step up again;
 * this only lets the replacement come through.
 */
const ABANDON_HOLD_MS = 2000;

/** Which rules are on: of dash.js's own those of the choice and no others. */
export function ruleSettings(rule: RuleChoice): MediaPlayerSettingClass {
  const chosen = isOwnRule(rule) ? [] : rule.dashjsRules;
  const isActive = (name: (typeof DASHJS_RULES)[number]) => ({ active: chosen.includes(name) });
  return {
    streaming: {
      ...(isOwnRule(rule) ? { abandonLoadTimeout: ABANDON_HOLD_MS } : {}),
      abr: { rules: Object.fromEntries(DASHJS_RULES.map((name) => [name, isActive(name)])) },
    },
  };
}

/** Where segments come through the receiver: they have no resource timing, and their traces carry the arrival times. */
export const SESSION_SETTINGS: MediaPlayerSettingClass = {
  streaming: { abr: { throughput: { useResourceTimingApi: false } } },
} as MediaPlayerSettingClass;

/**
 * Live films go by the clock of the server that has the page: the viewer's may be off, and no clock of the Internet need be
 * in reach. A clock that a manifest names comes first.
 *
 * @param timeUrl absolute; answers an xs:dateTime
 */
export function clockSettings(timeUrl: string): MediaPlayerSettingClass {
  const defaultTimingSource = { scheme: "urn:mpeg:dash:utc:http-xsdate:2014", value: timeUrl };
  return { streaming: { utcSynchronization: { defaultTimingSource } } };
}

/**
 * What the page pins for a comparison: nothing that makes one run depend on another, or on the Internet. `bufferSeconds`
 * is where fetching stops, at every quality; null for dash.js's own.
 */
export function pinnedSettings(bufferSeconds: number | null = null): MediaPlayerSettingClass {
  return {
    streaming: {
      lastBitrateCachingInfo: { enabled: false },
      lastMediaSettingsCachingInfo: { enabled: false },
      // Nothing is cached on the way of a segment, and loopback is faster than any threshold.
      cacheLoadThresholds: { video: 0, audio: 0 },
      buffer: {
        bufferTimeDefault: bufferSeconds ?? BUFFER_TARGET_SECONDS,
        bufferTimeAtTopQuality: bufferSeconds ?? TOP_QUALITY_BUFFER_SECONDS,
        bufferTimeAtTopQualityLongForm: bufferSeconds ?? LONG_FILM_TOP_QUALITY_BUFFER_SECONDS,
        longFormContentDurationThreshold: LONG_FILM_SECONDS,
        // Replacing what is already buffered spends bandwidth twice and makes the buffer's level mean two things.
        fastSwitchEnabled: false,
      },
      abr: {
        limitBitrateByPortal: false,
        initialBitrate: { audio: -1, video: INITIAL_VIDEO_KILOBITS_PER_SECOND },
        throughput: { bandwidthSafetyFactor: 0.9, useDeadTimeLatency: true },
      },
    },
  } as MediaPlayerSettingClass;
}
