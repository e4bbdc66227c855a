import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { MediaError } from "./media-error.ts";
import { failureOf, lastUsefulLine, readFfmpegOutput, runFfmpeg } from "./run-ffmpeg.ts";

describe("ffmpeg's last words", () => {
  it("are the line that tells why, without addresses and general lines around it", async () => {
    const text = await readFile(join(import.meta.dirname, "testdata", "probe-cut.txt"), "utf8");
    expect(lastUsefulLine(text.split("\n"))).toBe("moov atom not found");
  });

  it("are the general line when there is no other", () => {
    const lines = [
      "[in#0 @ 0x1] Error opening input: Invalid data found",
      "Error opening input file file:x.",
      "",
    ];
    expect(lastUsefulLine(lines)).toBe("Error opening input: Invalid data found");
  });

  it("do not exist when it said nothing", () => {
    expect(lastUsefulLine(["", "Conversion failed!"])).toBeUndefined();
    expect(failureOf([], "a.mp4", 134).message).toContain("a.mp4 (it ended with code 134)");
  });

  it.each(["No space left on device", "Disk quota exceeded"])("tell in plain words of: %s", (fault) => {
    const lines = [`[out#0/dash @ 0x1] Error writing trailer: ${fault}`, "Conversion failed!"];
    const { message, kind } = failureOf(lines, "a.mp4", 228);
    expect(message).toMatch(/^The disk is full: a\.mp4 .*free some space/);
    expect(kind).toBe("disk");
  });
});

it("names an ffmpeg that cannot be started", async () => {
  const run = runFfmpeg({
    ffmpegPath: "/nowhere/ffmpeg",
    arguments: [],
    workingDirectory: tmpdir(),
    filmName: "a.mp4",
  });
  await expect(run).rejects.toThrow(MediaError);
  await expect(run).rejects.toThrow("/nowhere/ffmpeg (ENOENT); set NUWA_FFMPEG");
});

it.runIf(process.platform === "linux")("goes last from when that is wanted", async () => {
  const folder = await mkdtemp(join(tmpdir(), "nuwa-ffmpeg-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const ffmpegPath = join(folder, "ffmpeg");
  const endsOnceItIsLast = "#!/bin/sh\nwhile [ $(nice) != 19 ]; do sleep 0.01; done\n";
  await writeFile(ffmpegPath, endsOnceItIsLast, { mode: 0o700 });
  const run = { ffmpegPath, arguments: [], workingDirectory: folder, filmName: "a.mp4" };
  expect(await runFfmpeg({ ...run, yieldsAfter: new Promise(setImmediate) })).toEqual([]);
});

it("is read for a MiB at most of what it prints", async () => {
  const folder = await mkdtemp(join(tmpdir(), "nuwa-ffmpeg-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const talkative = join(folder, "ffmpeg");
  await writeFile(talkative, "#!/bin/sh\nhead -c 3000000 /dev/zero | tr '\\0' x >&2\nexit 7\n", {
    mode: 0o700,
  });
  const { text, exitCode } = await readFfmpegOutput(talkative, []);
  expect([text.length, exitCode]).toEqual([2 ** 20, 7]);
});

it.runIf(process.platform !== "win32")("ends ffmpeg where this process exits meanwhile", async () => {
  const folder = await mkdtemp(join(tmpdir(), "nuwa-ffmpeg-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const ffmpegPath = join(folder, "ffmpeg");
  await writeFile(ffmpegPath, "#!/bin/sh\nexec sleep 60\n", { mode: 0o700 });
  const before = process.listeners("exit");
  const run = runFfmpeg({ ffmpegPath, arguments: [], workingDirectory: folder, filmName: "a.mp4" });
  const newListeners = () => process.listeners("exit").filter((listener) => !before.includes(listener));
  await vi.waitFor(() => expect(newListeners()).toHaveLength(1));
  newListeners()[0]?.(0);
  await expect(run).rejects.toThrow("ended with code null");
  expect(newListeners()).toEqual([]);
});
