import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import root from "../../../package.json";
import library from "../../package.json";

test("the library has the project's version and asks for the dash.js that it is tested with", () => {
  expect(library.version).toBe(root.version);
  expect(root.dependencies.dashjs.startsWith("5.")).toBe(true);
  expect(library.peerDependencies.dashjs).toBe(`^${root.dependencies.dashjs.replace(/\.\d+$/, "")}.0`);
});

test("the library has the project's licence", () => {
  const text = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");
  expect(text("../../LICENSE")).toBe(text("../../../LICENSE"));
  expect(library.license).toBe("BSD-3-Clause");
});
