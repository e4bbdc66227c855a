import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const FAULTY = fileURLToPath(new URL("testdata/faulty.ts", import.meta.url));

test.each(["rejection", "exception"])("an unhandled %s is logged on one line and ends the server", (kind) => {
  const { status, stderr } = spawnSync(process.execPath, ["--import", "tsx", FAULTY, kind], {
    encoding: "utf8",
    timeout: 20_000,
  });
  expect(status).toBe(1);
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  expect(stderr).toContain("error the server ends after an unexpected fault: Error: fault 4711");
});
