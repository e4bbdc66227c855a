import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { MOST_KB, tooLarge } from "./library-size.ts";

it("ends a build whose core is larger than its limit, and names both", () => {
  const kb = (MOST_KB["nuwa-stream-core.js"] ?? 0) + 1;
  const code = randomBytes(1000 * kb).toString("latin1");
  expect(tooLarge("nuwa-stream-core.js", code)).toMatch(
    /^nuwa-stream-core\.js has .* kB gzipped, more than the/,
  );
  expect(tooLarge("nuwa-stream-core.js", "a".repeat(1000 * kb))).toBeNull();
  expect(tooLarge("nuwa-stream-schemes.js", code)).toBeNull();
});

it("has the limits that the library's page names", () => {
  const page = readFileSync(new URL("README.md", import.meta.url), "utf8");
  const named = [...page.matchAll(/`([\w.-]+\.js)` has at most ([\d.]+) kB/g)].map(([, file, kb]) => [
    file,
    Number(kb),
  ]);
  expect(Object.fromEntries(named)).toEqual(MOST_KB);
});
