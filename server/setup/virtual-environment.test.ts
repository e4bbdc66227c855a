import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../sample-app.ts";
import type { Probe } from "./find-python.mjs";
import { VENV } from "./paths.ts";
import { isUsable } from "./virtual-environment.ts";

let folder = "";
beforeEach(() => {
  folder = temporaryFolder();
  mkdirSync(join(folder, "bin"));
});

/** An interpreter of that name, which the environment's leads to by way of `python3`. */
function leadTo(name: string): string {
  const interpreter = join(folder, name);
  writeFileSync(interpreter, "");
  const [python3, python] = [join(folder, "python3"), join(folder, "bin", "python")];
  for (const link of [python3, python]) rmSync(link, { force: true });
  symlinkSync(interpreter, python3);
  symlinkSync(python3, python);
  return interpreter;
}

/** What every command says of itself. */
const is = (executable: string) => (): Probe => ({ executable, version: [3, 12, 1], hasVenv: false });

test("an environment is usable until its python3 is another version, or gone", () => {
  mkdirSync(join(folder, "lib", "python3.12"), { recursive: true });
  const interpreter = leadTo("python3.12");
  expect(isUsable(folder, {})).toBe(true);
  leadTo("python3.13");
  expect(isUsable(folder, {})).toBe(false);
  leadTo("python");
  expect(isUsable(folder, {})).toBe(true); // a name without a version tells nothing
  leadTo("python3.12");
  rmSync(interpreter);
  expect(isUsable(folder, {})).toBe(false);
  expect(isUsable(VENV, {})).toBe(true);
});

test("NUWA_PYTHON unmakes it where it names another interpreter, by whatever name", () => {
  mkdirSync(join(folder, "lib", "python3.12"), { recursive: true });
  leadTo("python3.12");
  const other = join(folder, "other");
  writeFileSync(other, "");
  const named = { NUWA_PYTHON: "python3" };
  expect(isUsable(folder, named, is(join(folder, "python3")))).toBe(true);
  expect(isUsable(folder, named, is(other))).toBe(false);
  expect(isUsable(folder, { NUWA_PYTHON: "" }, is(other))).toBe(true);
  expect(() => isUsable(folder, named, () => null)).toThrow(
    "NUWA_PYTHON names python3, which is not a Python",
  );
});
