import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { pythonForQuestions } from "./find-python.mjs";
import { canonicalLink, isRate } from "./link-limits.mjs";
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
 * Asks transport/ for the links that it can emulate, before any set-up.
 *
 * @param {string} root
 * @param {NodeJS.ProcessEnv} environment
 * @returns {LinkChoice[]} none first
 */
export function readLinks(root, environment) {
  const { python, answer } = ask(["links", "--json"], root, environment);
  if (answer.status !== 0) {
    const how = answer.status ?? answer.error;
    throw new Problem(`the list of links cannot be read: ${python} -m transport links ended with ${how}`, {
      exitCode: 1,
      detail: answer.stderr ?? "",
    });
  }
  /** @type {LinkChoice[]} */
  const links = JSON.parse(answer.stdout);
  return [NO_LINK, ...links.map(({ name, title, summary }) => ({ name, title, summary }))];
}

/**
 * A link that is none of the list, a rate or a trace file, is read as the relay will read it.
 *
 * @param {string | null} link as `chooseLink` gives it
 * @param {readonly LinkChoice[]} links
 * @param {string} root
 * @param {NodeJS.ProcessEnv} environment
 * @throws {Problem} saying what is wrong with it
 */
export function requireReadableLink(link, links, root, environment) {
  if (link === null || links.some(({ name }) => name === link)) return;
  const { answer } = ask(["links", "--trace", link], root, environment, "ignore");
  if (answer.status === 0) return;
  const reason =
    (answer.stderr ?? "").trim().replace(/^python -m transport links: /, "") || String(answer.error);
  throw new Problem(`--link: ${reason}: give a link's name, a rate such as 24mbit or a file with a trace`);
}

/**
 * @param {readonly string[]} args
 * @param {string} root
 * @param {NodeJS.ProcessEnv} environment
 * @param {"pipe" | "ignore"} [output]
 */
function ask(args, root, environment, output = "pipe") {
  const python = pythonForQuestions(environment);
  const answer = spawnSync(python, ["-m", "transport", ...args], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", output, "pipe"],
    timeout: LIMIT_MS,
  });
  return { python, answer };
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
  if (isRate(link.text) || links.some(({ name }) => name === link.text)) return canonicalLink(link.text);
  if (statSync(link.file, { throwIfNoEntry: false })?.isFile()) return link.file;
  const names = links.map(({ name }) => name).join(", ");
  throw new Problem(
    `unknown link "${link.text}": choose one of ${names}, a rate such as 24mbit, or a file with a trace`,
  );
}
