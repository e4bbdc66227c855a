import RELAY_LIMITS from "../../transport/relay/limits.json" with { type: "json" };

/** @typedef {{readonly min: number, readonly max: number}} Range */

/**
 * What can be asked of an emulated link, on every command line, over HTTP and on the page. The relay, which enforces it, says
 * in its README why.
 *
 * @type {{readonly delayMs: Range, readonly queuePackets: Range, readonly loss: Range}}
 */
export const LINK_LIMITS = {
  delayMs: RELAY_LIMITS.delay_ms,
  queuePackets: RELAY_LIMITS.queue_packets,
  loss: RELAY_LIMITS.loss_ratio,
};

const RATE = /^\d+(\.\d+)?[kmg]bit$/i;

/**
 * Whether this names a constant rate, as `24mbit` does.
 *
 * @param {string} name
 */
export function isRate(name) {
  return RATE.test(name);
}

/**
 * A link's name as it is kept and compared: a rate in lower case, any other as it is.
 *
 * @param {string} name
 */
export function canonicalLink(name) {
  return isRate(name) ? name.toLowerCase() : name;
}
