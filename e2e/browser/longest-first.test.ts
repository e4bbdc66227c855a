import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { LONG, longestFirst } from "./longest-first.ts";

test("files that take long begin first, and the others stay in their order", () => {
  const files = ["page-watch", "library-tarball", "page-cmcd", "faults"].map((name) => ({
    moduleId: `/clone/e2e/browser/scenarios/${name}.test.ts`,
  }));
  const [watch, tarball, cmcd, faults] = files;
  expect(longestFirst(files)).toEqual([faults, tarball, watch, cmcd]);
});

test.each(LONG)("%s is a scenario", (name) => {
  expect(existsSync(new URL(`scenarios/${name}.test.ts`, import.meta.url))).toBe(true);
});
