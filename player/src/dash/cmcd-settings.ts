import type { MediaPlayerSettingClass } from "dashjs";

/** CMCD (CTA-5004-B, version 2), as dash.js itself makes it; off where it is not given. */
export interface CmcdOptions {
  /** Takes event reports (`application/cmcd`); a URL, absolute or of the page. Without it only requests carry CMCD. */
  readonly collector?: string | URL | undefined;
  /** What plays. */
  readonly contentId?: string | undefined;
  /** A UUID; made by chance where there is none. */
  readonly sessionId?: string | undefined;
  /** Where requests over HTTP carry it; those over WebTransport have no place for it. `query` by default. */
  readonly requests?: "query" | "header" | undefined;
  /** Between two reports of how it plays; 10 by default. */
  readonly intervalSeconds?: number | undefined;
}

/** A response's report says how a segment came, over whichever way: so nothing is lost where requests carry nothing. */
const EVENTS = ["ps", "e", "t", "rr"];
/** dash.js 5.2 takes the first byte's time of day for the time to it, before anybody else sees the response. */
const UNTOLD = ["ttfb"];
const INTERVAL_SECONDS = 10;
/** Some five seconds of a film. */
const REPORTS_PER_POST = 5;

/** dash.js 5.2's words; its declarations still have the older `header`, which it takes for `query`. */
const MODES = { query: "query", header: "headers" as "header" } as const;

/** @param keys all that there are */
export function cmcdSettings(
  { collector, contentId, sessionId, requests = "query", intervalSeconds = INTERVAL_SECONDS }: CmcdOptions,
  keys: readonly string[],
): MediaPlayerSettingClass {
  const target = {
    enabled: true,
    events: EVENTS,
    interval: intervalSeconds,
    batchSize: REPORTS_PER_POST,
    enabledKeys: keys.filter((key) => !UNTOLD.includes(key)),
  };
  return {
    streaming: {
      cmcd: {
        enabled: true,
        version: 2,
        mode: MODES[requests],
        cid: contentId ?? null,
        sid: sessionId ?? null,
        eventTargets: collector === undefined ? [] : [{ ...target, url: String(collector) }],
      },
    },
  };
}
