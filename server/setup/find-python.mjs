import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { Problem } from "../problem.mjs";
import { VENV_PYTHON } from "./clone.mjs";

/**
 * @typedef {{executable: string, version: readonly [number, number, number], hasVenv: boolean}} Probe what a command says of itself
 * @typedef {(command: string) => Probe | null} ProbePython null if it does not run
 */

const OLDEST = /** @type {const} */ ([3, 11]);
const NEWEST = /** @type {const} */ ([3, 14]); // of which the locked packages have wheels
const SUITABLE = `${OLDEST.join(".")} to ${NEWEST.join(".")}`;
const NAMES = ["python3", "python3.14", "python3.13", "python3.12", "python3.11", "python"];
const PROBE_LIMIT_MS = 10_000;
const PROBE = `import json, sys
from importlib.util import find_spec
print(json.dumps({"executable": sys.executable, "version": list(sys.version_info[:3]),
                  "hasVenv": all(find_spec(name) is not None for name in ("venv", "ensurepip"))}))`;

/**
 * A Python that the packages are there for and that can make a virtual environment: the one that NUWA_PYTHON names, else the
 * first on the PATH.
 *
 * @param {NodeJS.ProcessEnv} environment
 * @param {ProbePython} probe
 * @returns {string} the program
 * @throws {Problem} if there is none
 */
export function findPython(environment = process.env, probe = probePython) {
  const unsuitable = [];
  for (const python of candidates(environment, probe)) {
    if (isNewEnough(python) && !isTooNew(python) && python.hasVenv) return python.executable;
    unsuitable.push(python);
  }
  throw new Problem(whatIsWrong(unsuitable));
}

/**
 * For what needs nothing but Python itself, and so works before any set-up: the clone's own, else any that is new enough.
 *
 * @param {NodeJS.ProcessEnv} environment
 * @param {ProbePython} probe
 * @param {string} own
 * @returns {string} the program
 * @throws {Problem} if there is none
 */
export function pythonForQuestions(environment = process.env, probe = probePython, own = VENV_PYTHON) {
  if (existsSync(own)) return own;
  const tooOld = [];
  for (const python of candidates(environment, probe)) {
    if (isNewEnough(python)) return python.executable;
    tooOld.push(python);
  }
  throw new Problem(whatIsWrong(tooOld));
}

/**
 * @param {NodeJS.ProcessEnv} environment
 * @param {ProbePython} probe
 * @returns {Generator<Probe, void>}
 */
function* candidates(environment, probe) {
  const named = namedPython(environment, probe);
  if (named !== null) return yield named;
  for (const name of NAMES) {
    const python = probe(name);
    if (python !== null) yield python;
  }
}

/**
 * The Python that NUWA_PYTHON names; null where it is not set.
 *
 * @param {NodeJS.ProcessEnv} environment
 * @param {ProbePython} probe
 * @throws {Problem} if that does not run
 */
export function namedPython({ NUWA_PYTHON: named }, probe = probePython) {
  if (!named) return null;
  const python = probe(named);
  if (python !== null) return python;
  throw new Problem(`NUWA_PYTHON names ${named}, which is not a Python that runs: name one of ${SUITABLE}`);
}

/** @param {readonly Probe[]} unsuitable @returns {string} */
function whatIsWrong(unsuitable) {
  const [withoutVenv] = unsuitable.filter((python) => isNewEnough(python) && !isTooNew(python));
  if (withoutVenv !== undefined)
    return `${named(withoutVenv)} lacks its venv module: install it (Debian and Ubuntu: apt install python3-venv)`;
  const [first] = unsuitable;
  if (first === undefined)
    return `no Python was found: install Python ${SUITABLE} (Debian and Ubuntu: apt install python3 python3-venv), or name one in NUWA_PYTHON`;
  const fault = isTooNew(first) ? "too new, and its packages are not there yet" : "too old";
  return `${named(first)} is ${fault}: install Python ${SUITABLE}, or name one in NUWA_PYTHON`;
}

/** @param {Probe} python */
function named({ version, executable }) {
  return `Python ${version.join(".")} (${executable})`;
}

/** @param {Probe} python */
function isNewEnough({ version: [major, minor] }) {
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

/** @param {Probe} python */
function isTooNew({ version: [major, minor] }) {
  return major > NEWEST[0] || (major === NEWEST[0] && minor > NEWEST[1]);
}

/** @type {ProbePython} */
export function probePython(command) {
  const { status, stdout } = spawnSync(command, ["-c", PROBE], { encoding: "utf8", timeout: PROBE_LIMIT_MS });
  return status === 0 ? JSON.parse(stdout) : null;
}
