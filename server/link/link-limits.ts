import LIMITS from "../../cc/links/limits.json" with { type: "json" };
import type { LinkLimits } from "../../player/src/options/server-config.ts";

/**
 * What can be asked of an emulated link, on every command line, over HTTP and on the page. The relay, which enforces it, says
 * in its README why.
 */
export const LINK_LIMITS: LinkLimits = {
  delayMs: LIMITS.delay_ms,
  queuePackets: LIMITS.queue_packets,
  loss: LIMITS.loss_ratio,
};

/** What a link has where nobody says otherwise. */
export const LINK_DEFAULTS = {
  delayMs: LIMITS.defaults.delay_ms,
  queuePackets: LIMITS.defaults.queue_packets,
  lossRatio: LIMITS.defaults.loss_ratio,
};

/** What a link may be called that is asked for by its name: a JSON Schema's pattern. */
export const LINK_NAME: string = LIMITS.name;

const RATE = /^\d+(\.\d+)?[kmg]bit$/i;

/** Whether this names a constant rate, as `24mbit` does. */
export function isRate(name: string): boolean {
  return RATE.test(name);
}

/** A link's name as it is kept and compared: a rate in lower case, any other as it is. */
export function canonicalLink(name: string): string {
  return isRate(name) ? name.toLowerCase() : name;
}
