import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./paths.ts";
import { torchPin } from "./python-environments.ts";

test("torch is pinned", () => {
  expect(torchPin('train = [\n  "torch==2.13.0",\n]')).toBe("torch==2.13.0");
  expect(torchPin(readFileSync(join(ROOT, "pyproject.toml"), "utf8"))).toMatch(/^torch==\d/);
  expect(() => torchPin('"torch>=2"')).toThrow("does not pin torch");
});
