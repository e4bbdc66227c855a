/** What can be asked of an emulated link, on the command line as over HTTP. */
export const LINK_LIMITS = { delayMs: 5_000, queuePackets: 100_000, lossRatio: 1 };

/**
 * Whether this names a constant rate, as `24mbit` does.
 *
 * @param {string} name
 */
export function isRate(name) {
  return /^\d+(\.\d+)?[kmg]bit$/.test(name);
}
