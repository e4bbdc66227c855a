/** Whether nothing may be skipped here. Services set CI to `true`, some to `1`. */
export function isContinuousIntegration({ CI }: NodeJS.ProcessEnv) {
  return CI !== undefined && !["", "0", "false"].includes(CI.toLowerCase());
}
