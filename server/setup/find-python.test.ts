import { expect, test } from "vitest";
import { findPython, type Probe, pythonForQuestions } from "./find-python.mjs";

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
  expect(findPython({}, probe)).toBe("/opt/python3.12");
});

test("one that is too new for the packages is passed over", () => {
  const probe = machine({
    python3: python("/usr/bin/python3", 15),
    "python3.14": python("/opt/python3.14", 14),
  });
  expect(findPython({}, probe)).toBe("/opt/python3.14");
});

test("a question is answered by the clone's own Python, else by any that is new enough", () => {
  const probe = machine({
    python3: python("/usr/bin/python3", 9),
    "python3.12": python("/opt/python3.12", 12, false),
  });
  expect(pythonForQuestions({}, probe, process.execPath)).toBe(process.execPath);
  expect(pythonForQuestions({ NUWA_PYTHON: "" }, probe, "/nowhere")).toBe("/opt/python3.12");
  expect(() =>
    pythonForQuestions({}, machine({ python3: python("/usr/bin/python3", 9) }), "/nowhere"),
  ).toThrow("Python 3.9.2 (/usr/bin/python3) is too old");
  expect(() => pythonForQuestions({}, machine({}), "/nowhere")).toThrow("no Python was found");
});

test("NUWA_PYTHON is taken before any other", () => {
  const probe = machine({ python3: python("/usr/bin/python3", 13), "/my/python": python("/my/python", 11) });
  expect(findPython({ NUWA_PYTHON: "/my/python" }, probe)).toBe("/my/python");
});

test.each([
  ["nothing", {}, {}, "no Python was found: install Python 3.11 to 3.14"],
  [
    "an old one",
    {},
    { python3: python("/usr/bin/python3", 9) },
    "Python 3.9.2 (/usr/bin/python3) is too old: install Python 3.11 to 3.14, or name one in NUWA_PYTHON",
  ],
  [
    "a new one",
    {},
    { python3: python("/usr/bin/python3", 15) },
    "Python 3.15.2 (/usr/bin/python3) is too new, and its packages are not there yet: install Python 3.11 to 3.14, or name",
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
    "NUWA_PYTHON names /my/python, which is not a Python that runs: name one of 3.11 to 3.14",
  ],
])("with %s, the sentence says what to install", (_what, environment, commands, sentence) => {
  expect(() => findPython(environment, machine(commands))).toThrow(sentence);
});

test("a real Python answers the probe", () => {
  expect(findPython(process.env)).not.toBe("");
});
