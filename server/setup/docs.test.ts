import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { collectOutput } from "./children.ts";
import { libraryApi, typedocPackages } from "./docs.ts";
import { ROOT } from "./paths.ts";

const LIMIT_MS = 180_000;
const folder = mkdtempSync(join(tmpdir(), "nuwa-docs-"));
afterAll(() => rmSync(folder, { recursive: true }));

// `npm test` installs TypeDoc; where this file is run alone it may be missing.
test.skipIf(!typedocPackages.isPresent())(
  "the library's API is written, and TypeDoc has nothing to warn of",
  async () => {
    const { code, stdout, stderr } = await collectOutput(libraryApi(folder), {
      cwd: ROOT,
      timeoutMs: LIMIT_MS,
    });
    expect(code, stdout + stderr).toBe(0); // by its settings, a warning's exit code is another
    expect(existsSync(join(folder, "index.html"))).toBe(true);
  },
  LIMIT_MS,
);
