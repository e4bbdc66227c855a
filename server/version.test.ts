import { expect, test } from "vitest";
import { readVersion, versionLine } from "./version.mjs";

test("the version is package.json's, and the commit an image's own, else the clone's", () => {
  expect(readVersion({ NUWA_COMMIT: "abc" })).toEqual({
    version: expect.stringMatching(/^\d+\./),
    commit: "abc",
  });
  expect(readVersion({}).commit ?? "unknown").toMatch(/^([0-9a-f]{40,}|unknown)$/);
  expect(versionLine()).toMatch(/^nuwa-stream \d+\.\d+\.\d+, commit \w+\n$/);
});
