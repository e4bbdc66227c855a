import { expect, test } from "vitest";
import { findPython, type Probe } from "./find-python.ts";

const python = (executable: string, minor: number, hasVenv = true): Probe => ({
  executable,
  version: [3, minor, 2],
  hasVenv,
});

/** A machine on which these commands run and no others. */
function machine(commands: Readonly<Record<string, Probe>>) {
  return (command: string) => commands[command] ?? null;
}

test("the first that is new enough and has venv is taken", () => {
  const probe = machine({
    python3: python("/usr/bin/python3", 9),
    "python3.13": python("/opt/python3.13", 13, false),
    "python3.12": python("/opt/python3.12", 12),
    "python3.11": python("/opt/python3.11", 11),
  });
  expect(findPython({}, probe)).toEqual({ executable: "/opt/python3.12", version: "3.12.2" });
});

test("NUWA_PYTHON is taken before any other", () => {
  const probe = machine({ python3: python("/usr/bin/python3", 13), "/my/python": python("/my/python", 11) });
  expect(findPython({ NUWA_PYTHON: "/my/python" }, probe).executable).toBe("/my/python");
});

test.each([
  ["nothing", {}, {}, "no Python was found: install Python 3.11 or newer"],
  [
    "an old one",
    {},
    { python3: python("/usr/bin/python3", 9) },
    "Python 3.9.2 (/usr/bin/python3) is too old: install Python 3.11 or newer, or name one in NUWA_PYTHON",
  ],
  [
    "one without venv",
    {},
    { python3: python("/usr/bin/python3", 11, false) },
    "Python 3.11.2 (/usr/bin/python3) lacks its venv module: install it (Debian and Ubuntu: apt install python3-venv)",
  ],
  [
    "a good one, but another is named",
    { NUWA_PYTHON: "/my/python" },
    { python3: python("/usr/bin/python3", 11) },
    "NUWA_PYTHON names /my/python, which is not a Python that runs: name one of 3.11 or newer",
  ],
])("with %s, the sentence says what to install", (_what, environment, commands, sentence) => {
  expect(() => findPython(environment, machine(commands))).toThrow(sentence);
});

test("a real Python answers the probe", () => {
  const found = findPython(process.env);
  expect(found.executable).not.toBe("");
  expect(found.version).toMatch(/^3\.\d+\.\d+$/);
});
