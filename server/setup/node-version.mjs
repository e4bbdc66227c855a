// Read by every Node: only old syntax and no imports here.

/** The oldest Node that the project's packages run on. */
export const OLDEST_NODE = "20.19.0";

/**
 * @param {string} version as in `process.versions.node`
 * @returns {string | null} what is wrong with it, in one sentence
 */
export function nodeVersionProblem(version) {
  const found = version.split(".").map(Number);
  const oldest = OLDEST_NODE.split(".").map(Number);
  for (let i = 0; i < oldest.length; i += 1) {
    const difference = (found[i] || 0) - (oldest[i] || 0);
    if (difference > 0) return null;
    if (difference < 0) {
      return `this is Node ${version} and ${OLDEST_NODE} or newer is needed: install it (https://nodejs.org) and try again`;
    }
  }
  return null;
}

/** Ends the process with the sentence, if this Node is too old. */
export function requireNode() {
  const problem = nodeVersionProblem(process.versions.node);
  if (problem === null) return;
  process.stderr.write(`nuwa-stream: ${problem}\n`);
  process.exit(2);
}
