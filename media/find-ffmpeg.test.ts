import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ffmpegVersion, findFfmpeg } from "./find-ffmpeg.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "nuwa-find-ffmpeg-"));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

describe("the ffmpeg that is used", () => {
  it("is found, and tells its version", async () => {
    vi.stubEnv("NUWA_FFMPEG", "");
    expect(await ffmpegVersion(await findFfmpeg())).toMatch(/\d/);
  });

  it("is NUWA_FFMPEG when that is set", async () => {
    const installed = await findFfmpeg();
    vi.stubEnv("NUWA_FFMPEG", installed);
    expect(await findFfmpeg()).toBe(installed);
  });

  it("is never silently another one than NUWA_FFMPEG", async () => {
    vi.stubEnv("NUWA_FFMPEG", "/nowhere/ffmpeg");
    await expect(findFfmpeg()).rejects.toThrow("NUWA_FFMPEG=/nowhere/ffmpeg cannot be run");
  });

  it("has every part that packaging needs", async () => {
    const incomplete = join(folder, "ffmpeg");
    await writeFile(
      incomplete,
      "#!/bin/sh\necho ' V..... libx264 H.264'; echo ' E dash DASH'; echo ' A..... aac AAC'\n",
    );
    await chmod(incomplete, 0o755);
    vi.stubEnv("NUWA_FFMPEG", incomplete);
    await expect(findFfmpeg()).rejects.toThrow(/lacks drawtext; set it to a complete ffmpeg/);
  });
});
