import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./paths.ts";

const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
const { version } = JSON.parse(read("package.json")) as { version: string };

test.each([
  ["pyproject.toml", `\nversion = "${version}"\n`],
  ["CITATION.cff", `\nversion: ${version}\n`],
  ["README.md", `This is version ${version}.`],
  ["CHANGELOG.md", `\n## [${version}] - `],
  ["player/package.json", `"version": "${version}"`],
  ["player/README.md", `nuwa-stream-player-${version}.tgz`],
])("%s names the version of package.json", (file, line) => {
  expect(read(file)).toContain(line);
});

test("CITATION.cff has the day on which CHANGELOG.md says that it was released", () => {
  const released = read("CHANGELOG.md").match(/^## \[[^\]]+\] - (\S+)$/m)?.[1];
  expect(read("CITATION.cff")).toContain(`\ndate-released: ${released}\n`);
});
