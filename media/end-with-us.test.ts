import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished, vi } from "vitest";

const PROGRAM = fileURLToPath(new URL("testdata/encoding.ts", import.meta.url));

it("ends ffmpeg where whoever runs it is killed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "nuwa-encoding-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const encoding = spawn(process.execPath, ["--import", "tsx", PROGRAM, folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [said] = (await once(encoding.stdout, "data")) as [Buffer];
  const ffmpeg = Number(said.toString());
  expect(isRunning(ffmpeg)).toBe(true);
  encoding.kill("SIGKILL");
  await vi.waitFor(() => expect(isRunning(ffmpeg)).toBe(false), { timeout: 10_000 });
});

/** Whether it has not ended, though nobody may have asked how it did. */
function isRunning(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return /^[^Z\s]/.test(stdout.trim());
}
