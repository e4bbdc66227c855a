import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { temporaryFolder } from "../sample-app.ts";
import { runCommand } from "./children.ts";
import { VENV_PYTHON } from "./paths.ts";
import { installWithPip, pipAdvice } from "./pip.ts";

test("pip's settings put no package elsewhere", async () => {
  const folder = temporaryFolder();
  const elsewhere = join(folder, "elsewhere");
  vi.stubEnv("PIP_USER", "1");
  for (const name of ["PIP_TARGET", "PIP_PREFIX", "PIP_ROOT"]) vi.stubEnv(name, elsewhere);
  const report = join(folder, "report.json");
  const whatIsThere = ["--no-index", "--dry-run", "--report", report, "msgspec"];
  await installWithPip(VENV_PYTHON, whatIsThere, async (command, _advice, environment = {}) => {
    const logFile = join(folder, "log");
    expect(await runCommand(command, { cwd: folder, environment, logFile })).toBe(0);
  });
  expect([existsSync(report), existsSync(elsewhere)]).toEqual([true, false]);
});

test.each([
  [
    "ERROR: No matching distribution found for onnxruntime==1.31.1",
    /^this system or this Python has no such/,
  ],
  [
    "WARNING: Retrying (Retry(total=0))\nERROR: No matching distribution found for numpy",
    /where it is the network/,
  ],
  [
    "ERROR: Could not install packages due to an OSError: No space left on device",
    /^see above what pip says/,
  ],
])("%j: what to do", (said, advice) => {
  expect(pipAdvice(said)).toMatch(advice);
});
