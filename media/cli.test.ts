import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";

const PACKAGING_MS = 120_000; // a slow machine with one core

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "nuwa-media-cli-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

function start(args: readonly string[]) {
  const cli = join(import.meta.dirname, "cli.ts");
  return spawn(process.execPath, ["--import", "tsx", cli, ...args], { stdio: ["ignore", "pipe", "pipe"] });
}

async function ended(child: ChildProcess & ReturnType<typeof start>) {
  const [stdout, stderr] = [text(child.stdout), text(child.stderr)];
  const [exitCode] = (await once(child, "close")) as [number | null];
  return { exitCode, stdout: await stdout, stderr: await stderr };
}

const run = (...args: string[]) => ended(start(args));

test("--help tells of every option, and packages nothing", async () => {
  const { exitCode, stdout, stderr } = await run("--demo", "--help");
  expect([exitCode, stderr]).toEqual([0, ""]);
  for (const option of ["demo", "duration", "ladder", "quality", "codec", "output"]) {
    expect(stdout).toContain(`\n  --${option}`);
  }
});

test.concurrent.each([
  [[], "Name a film to package, or give --demo; see --help."],
  [["one.mp4", "two.mp4", "three.mp4"], "One film at a time, not also two.mp4, three.mp4; see --help."],
  [["--demo", "one.mp4"], "Give either --demo or the film one.mp4, not both; see --help."],
  [["one.mp4", "--duration", "2"], "--duration is the demo film's length and needs --demo; see --help."],
  [["--demo", "--qualty"], "Unknown option '--qualty'; see --help."],
  [["--demo", "--ladder", "640x360"], "--ladder"],
  [["--demo", "--codec", "vp9"], '--codec is "vp9": write one of hevc, av1'],
])("%j is refused in a sentence", async (args, sentence) => {
  const { exitCode, stdout, stderr } = await run(...args);
  expect([exitCode, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(sentence);
  expect(stderr.trimEnd()).not.toContain("\n");
});

test("what is no film, and a folder that holds none, are refused", { timeout: PACKAGING_MS }, async () => {
  const folder = temporaryFolder();
  const film = join(folder, "film.mp4");
  writeFileSync(film, "no film");
  for (const args of [[film, "--output", join(folder, "out")], [folder, "--quality"], [folder]]) {
    const { exitCode, stdout, stderr } = await run(...args);
    expect([exitCode, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(folder);
    expect(stderr).not.toContain("    at ");
  }
});

test("packages a film in the rungs, the length and the folder that were asked for, and measures it", {
  timeout: 2 * PACKAGING_MS,
}, async () => {
  const output = temporaryFolder();
  const demo = ["--demo", "--duration", "2", "--ladder", "256x144@200k", "--output", output];
  const packaged = await run(...demo);
  expect(packaged).toMatchObject({ exitCode: 0 });
  const [name = "", ...others] = readdirSync(output);
  expect(others).toEqual([]);
  expect(packaged.stdout).toMatch(/: 2 s, 144p \d+ kbit\/s\n/);
  expect(packaged.stdout).toContain(`${join(output, name, "manifest.mpd")}\n`);
  const again = await run(...demo, "--quality");
  expect(again).toMatchObject({ exitCode: 0 });
  expect(again.stdout).toContain("manifest.mpd (as it was)\n");
  expect(again.stdout).toMatch(/mean VMAF of \d+ kbit\/s \d+\.\d\n/);
  expect(readdirSync(join(output, name))).toContain("quality.json");
});

test.each(["SIGINT", "SIGTERM"] as const)(
  "%s ends it, and leaves no film",
  { timeout: PACKAGING_MS },
  async (signal) => {
    const output = temporaryFolder();
    const child = start(["--demo", "--duration", "600", "--output", output]);
    const ending = ended(child);
    await once(child.stderr, "data"); // it has begun to encode
    child.kill(signal);
    expect(await ending).toMatchObject({ exitCode: 130, stdout: "" });
    expect(readdirSync(output)).toEqual([]);
  },
);
