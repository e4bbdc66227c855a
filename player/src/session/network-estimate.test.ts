import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

test("the library's page explains every field of the estimate", () => {
  const fields = [...read("network-estimate.ts").matchAll(/^ {2}readonly (\w+):/gm)].map(([, name]) => name);
  const section = read("../../README.md").split("## Read the estimate\n")[1]?.split("\n## ")[0] ?? "";
  expect(fields).toContain("queueingDelaySeconds");
  expect(fields.filter((name) => !section.includes(`\`${name}\``))).toEqual([]);
});
