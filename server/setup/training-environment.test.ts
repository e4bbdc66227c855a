import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./paths.mjs";
import { cpuBuildOf } from "./training-environment.mjs";

test("torch's CPU build is the pinned version's", () => {
  expect(cpuBuildOf("sympy==1.14.0\ntorch==2.13.0\ntqdm==4.70.1\n")).toBe("torch==2.13.0+cpu");
  expect(cpuBuildOf(readFileSync(join(ROOT, "requirements-train.lock"), "utf8"))).toMatch(/\+cpu$/);
  expect(() => cpuBuildOf("torch>=2\n")).toThrow("does not pin torch");
});
