/**
 * Whether nothing may be skipped here. Services set CI to `true`, some to `1`.
 *
 * @param {NodeJS.ProcessEnv} environment
 */
export function isContinuousIntegration({ CI }) {
  return CI !== undefined && !["", "0", "false"].includes(CI.toLowerCase());
}
