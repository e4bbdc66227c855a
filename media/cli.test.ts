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

test("arguments that make no sense are refused in a sentence", async () => {
  expect(await run("--demo", "--qualty")).toEqual({
    exitCode: 2,
    stdout: "",
    stderr: "Unknown option '--qualty'; see --help.\n",
  });
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
