import { Problem } from "../problem.mjs";

/**
 * Of an option without a value, from its variable. Plain JavaScript for the container's health check, which asks often.
 *
 * @param {string} value
 * @param {string} source the variable's name
 * @returns {boolean}
 * @throws {Problem} if it is neither
 */
export function readFlag(value, source) {
  if (["1", "true"].includes(value)) return true;
  if (["0", "false"].includes(value)) return false;
  throw new Problem(`${source} is "${value}": write 1 or 0`);
}
