import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { isRate } from "./link-limits.mjs";
import { VENV_PYTHON } from "./paths.mjs";
import { Problem } from "./problem.mjs";

/** @typedef {import("../link/link-control.ts").LinkChoice} LinkChoice */

const LIMIT_MS = 20_000;

/** @type {LinkChoice} */
export const NO_LINK = {
  name: "none",
  title: "No emulated link",
  summary: "What lies between browser and server, as it is.",
};

/**
 * Asks transport/ for the links that it can emulate; works once the Python environment is set up.
 *
 * @param {string} root
 * @returns {LinkChoice[]} none first
 */
export function readLinks(root) {
  const answer = spawnSync(VENV_PYTHON, ["-m", "transport", "links", "--json"], {
    cwd: root,
    encoding: "utf8",
    timeout: LIMIT_MS,
  });
  if (answer.status !== 0) {
    const how = answer.status ?? answer.error;
    throw new Problem(
      `the list of links cannot be read: ${VENV_PYTHON} -m transport links ended with ${how}`,
      {
        exitCode: 1,
        detail: answer.stderr ?? "",
      },
    );
  }
  /** @type {LinkChoice[]} */
  const links = JSON.parse(answer.stdout);
  return [NO_LINK, ...links.map(({ name, title, summary }) => ({ name, title, summary }))];
}

/** @param {string} root */
export function linksIfAny(root) {
  return existsSync(VENV_PYTHON) ? readLinks(root) : null; // help is for those, too, who have set up nothing yet
}

/**
 * Reads a trace file as the relay will, but before anything is packaged and served.
 *
 * @param {string} root
 * @param {string} file
 * @throws {Problem} with file and line, if it is no trace
 */
export function requireTrace(root, file) {
  const answer = spawnSync(VENV_PYTHON, ["-m", "transport.trace_tool", "validate", resolve(file)], {
    cwd: root,
    encoding: "utf8",
    timeout: LIMIT_MS,
  });
  if (answer.status === 0) return;
  const why = (answer.stderr ?? "").trim() || `reading it ended with ${answer.status ?? answer.error}`;
  throw new Problem(`--link is no trace that can be emulated: ${why}`);
}

/**
 * The link that `--link` means: a known name, a rate, else a trace file.
 *
 * @param {import("./options.mjs").LinkOption | null} link
 * @param {readonly LinkChoice[]} links
 * @returns {string | null} null is no choice, and fine
 * @throws {Problem} listing the known names
 */
export function chooseLink(link, links) {
  if (link === null) return null;
  if (isRate(link.text) || links.some(({ name }) => name === link.text)) return link.text;
  if (statSync(link.file, { throwIfNoEntry: false })?.isFile()) return link.file;
  const names = links.map(({ name }) => name).join(", ");
  throw new Problem(
    `unknown link "${link.text}": choose one of ${names}, a rate such as 24mbit, or a file with a trace`,
  );
}
