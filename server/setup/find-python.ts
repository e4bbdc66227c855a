import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { Problem } from "../problem.mjs";
import { VENV_PYTHON } from "./paths.ts";

export interface Python {
  readonly executable: string;
  readonly version: string;
}

/** What a command says of itself; null if it does not run. */
export type ProbePython = (command: string) => Probe | null;

export interface Probe {
  readonly executable: string;
  readonly version: readonly [number, number, number];
  readonly hasVenv: boolean;
}

const OLDEST = [3, 11] as const;
const NAMES = ["python3", "python3.14", "python3.13", "python3.12", "python3.11", "python"];
const PROBE_LIMIT_MS = 10_000;
const PROBE = `import json, sys
from importlib.util import find_spec
print(json.dumps({"executable": sys.executable, "version": list(sys.version_info[:3]),
                  "hasVenv": all(find_spec(name) is not None for name in ("venv", "ensurepip"))}))`;

/**
 * A Python that is new enough and can make a virtual environment: the one that NUWA_PYTHON names, else the first on the
 * PATH.
 *
 * @throws Problem if there is none
 */
export function findPython(
  environment: NodeJS.ProcessEnv = process.env,
  probe: ProbePython = probePython,
): Python {
  const unsuitable: Probe[] = [];
  for (const python of candidates(environment, probe)) {
    if (isNewEnough(python) && python.hasVenv)
      return { executable: python.executable, version: python.version.join(".") };
    unsuitable.push(python);
  }
  throw new Problem(whatIsWrong(unsuitable));
}

function* candidates(environment: NodeJS.ProcessEnv, probe: ProbePython): Generator<Probe> {
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
 * @throws Problem if that does not run
 */
export function namedPython({ NUWA_PYTHON: named }: NodeJS.ProcessEnv, probe: ProbePython): Probe | null {
  if (!named) return null;
  const python = probe(named);
  if (python !== null) return python;
  throw new Problem(
    `NUWA_PYTHON names ${named}, which is not a Python that runs: name one of ${OLDEST.join(".")} or newer`,
  );
}

/**
 * For what needs nothing but Python itself, and so works before any set-up.
 *
 * @returns the program
 * @throws Problem if there is none
 */
export function pythonForQuestions(): string {
  return existsSync(VENV_PYTHON) ? VENV_PYTHON : findPython().executable;
}

function whatIsWrong(unsuitable: readonly Probe[]): string {
  const oldest = OLDEST.join(".");
  const withoutVenv = unsuitable.find(isNewEnough);
  if (withoutVenv !== undefined) {
    const version = withoutVenv.version.join(".");
    return `Python ${version} (${withoutVenv.executable}) lacks its venv module: install it (Debian and Ubuntu: apt install python3-venv)`;
  }
  const tooOld = unsuitable[0];
  if (tooOld !== undefined) {
    const version = tooOld.version.join(".");
    return `Python ${version} (${tooOld.executable}) is too old: install Python ${oldest} or newer, or name one in NUWA_PYTHON`;
  }
  return `no Python was found: install Python ${oldest} or newer (Debian and Ubuntu: apt install python3 python3-venv), or name one in NUWA_PYTHON`;
}

function isNewEnough({ version: [major, minor] }: Probe) {
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

export function probePython(command: string): Probe | null {
  const { status, stdout } = spawnSync(command, ["-c", PROBE], { encoding: "utf8", timeout: PROBE_LIMIT_MS });
  return status === 0 ? JSON.parse(stdout) : null;
}
