import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./paths.ts";

const PYTHON_LOCKS = ["", "-laboratory", "-site", "-test", "-train"].map(
  (name) => `requirements${name}.lock`,
);

const NPM_LOCKS = ["package-lock.json", "e2e/site/package-lock.json"];

test.each(NPM_LOCKS)("every npm package in %s, of whatever platform, has its hash", (lock) => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, lock), "utf8")) as {
    packages: Record<string, { integrity?: string }>;
  };
  const names = Object.keys(packages).filter((path) => path !== "");
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((path) => !packages[path]?.integrity?.startsWith("sha512-"))).toEqual([]);
});

test.each(PYTHON_LOCKS)("every Python package in %s is pinned and has its hashes", (lock) => {
  const text = readFileSync(join(ROOT, lock), "utf8").replaceAll("\\\n", " ");
  const packages = text.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#"));
  expect(packages.length).toBeGreaterThan(5);
  expect(packages.filter((line) => !/^[\w.[\]-]+==\S+ .*--hash=sha256:[0-9a-f]{64}/.test(line))).toEqual([]);
});
