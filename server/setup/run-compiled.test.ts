import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { ROOT } from "./clone.mjs";

const ABOUT = "e2e/virtual-player/about.ts";

test("a program of the clone runs as compiled, with the arguments after its name, wherever it is run from", () => {
  const args = [`${ROOT}/server/setup/run-compiled.mjs`, ABOUT];
  const { rules, films } = JSON.parse(execFileSync(process.execPath, args, { cwd: "/", encoding: "utf8" }));
  expect(rules).toContain("nuwa");
  expect(films).toEqual([]);
  const nowhere = "/no/such/film";
  expect(() => execFileSync(process.execPath, [...args, nowhere], { stdio: "pipe" })).toThrow(nowhere);
});
