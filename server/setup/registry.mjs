import { spawnSync } from "node:child_process";
import { pythonForQuestions } from "./find-python.mjs";
import { Problem } from "./problem.mjs";

/** @typedef {import("../registry.ts").Registry} Registry */

const LIMIT_MS = 20_000;

/**
 * Asks cc/ for its schemes and presets. cc/ needs nothing but Python itself, so this works before any set-up.
 *
 * @param {string} root
 * @param {NodeJS.ProcessEnv} environment
 * @returns {Registry}
 */
export function readRegistry(root, environment) {
  const python = pythonForQuestions(environment);
  const answer = spawnSync(python, ["-m", "cc"], { cwd: root, encoding: "utf8", timeout: LIMIT_MS });
  if (answer.status !== 0) {
    throw new Problem(
      `the list of schemes cannot be read: ${python} -m cc ended with ${answer.status ?? answer.error}`,
      {
        exitCode: 1,
        detail: answer.stderr ?? "",
      },
    );
  }
  return JSON.parse(answer.stdout);
}

/**
 * @param {"scheme" | "preset" | "rule"} kind
 * @param {string | null} name null is no choice, and fine
 * @param {readonly {name: string}[]} entries
 * @throws {Problem} listing the known names
 */
export function requireKnown(kind, name, entries) {
  if (name === null || entries.some((entry) => entry.name === name)) return;
  throw new Problem(
    `unknown ${kind} "${name}": choose one of ${entries.map((entry) => entry.name).join(", ")}`,
  );
}
