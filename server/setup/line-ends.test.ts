import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../sample-app.ts";
import { ROOT } from "./paths.ts";

const FILES = { "README.md": "a\nb\n", ".ci/run": "#!/bin/sh\n", "e2e/fuzzing/corpus/traces/1": "a\r\nb\n" };

test("files are checked out as they are, with Git for Windows' settings, too", () => {
  const folder = temporaryFolder();
  const git = (...args: string[]) =>
    expect(
      spawnSync("git", ["-c", "core.autocrlf=true", "-c", "core.safecrlf=false", ...args], { cwd: folder })
        .status,
    ).toBe(0);
  git("init", "--quiet");
  copyFileSync(join(ROOT, ".gitattributes"), join(folder, ".gitattributes"));
  for (const [name, content] of Object.entries(FILES)) {
    mkdirSync(join(folder, dirname(name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  git("add", ".");
  for (const name of Object.keys(FILES)) rmSync(join(folder, name));
  git("checkout-index", "--all");
  for (const [name, content] of Object.entries(FILES))
    expect(readFileSync(join(folder, name), "utf8")).toBe(content);
});
