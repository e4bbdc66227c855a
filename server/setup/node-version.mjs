// Read by every Node: only old syntax and no imports here.

/** The oldest Node 20 and the oldest later one that have all packages: npm leaves a page's builder out for others, and says nothing. */
export const OLDEST_NODE = { of20: "20.19.0", later: "22.12.0" };

/**
 * @param {string} version as in `process.versions.node`
 * @returns {string | null} what is wrong with it, in one sentence
 */
export function nodeVersionProblem(version) {
  const isOf20 = version.split(".")[0] === "20";
  if (!isOlder(version, isOf20 ? OLDEST_NODE.of20 : OLDEST_NODE.later)) return null;
  return `this is Node ${version}, and ${OLDEST_NODE.later} or newer is needed (of Node 20, ${OLDEST_NODE.of20} or newer): install it (https://nodejs.org) and try again`;
}

/**
 * @param {string} version
 * @param {string} than
 */
function isOlder(version, than) {
  const found = version.split(".").map(Number);
  const oldest = than.split(".").map(Number);
  for (let i = 0; i < oldest.length; i += 1) {
    const difference = (found[i] || 0) - (oldest[i] || 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

/** Ends the process with the sentence, if this Node does not do. */
export function requireNode() {
  const problem = nodeVersionProblem(process.versions.node);
  if (problem === null) return;
  process.stderr.write(`nuwa-stream: ${problem}\n`);
  process.exit(2);
}
