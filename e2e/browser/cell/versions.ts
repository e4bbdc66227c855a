import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ENVIRONMENT_FILE, PYTHON, ROOT, readEnvironment } from "../environment.ts";
import { runCommand } from "../setup/run-command.ts";

/** Pathspecs of git: pages, pictures, kept figures and tests make no figure. */
const NO_SOURCES = join(ROOT, "e2e", "laboratory", "no-sources.json");

/** What a run was made with. */
export interface Versions {
  commit: string;
  /** Whether sources differed from the commit. */
  hasLocalChanges: boolean;
  node: string;
  browser: string;
  python: string;
  aioquic: string;
  dashjs: string;
  mahimahi: string | null;
  kernel: string;
}

export async function readVersions(browser: string): Promise<Versions> {
  const commit = await runCommand("git", ["rev-parse", "HEAD"], { cwd: ROOT });
  const noSources = JSON.parse(await readFile(NO_SOURCES, "utf8")) as readonly string[];
  const changes = await runCommand(
    "git",
    ["status", "--porcelain", "--untracked-files=no", "--", ".", ...noSources],
    { cwd: ROOT },
  );
  const script = "import aioquic, platform; print(platform.python_version(), aioquic.__version__)";
  const python = await runCommand(PYTHON, ["-c", script]);
  const [pythonVersion = "unknown", aioquic = "unknown"] = python.stdout.trim().split(" ");
  const dashjs = JSON.parse(await readFile(join(ROOT, "node_modules/dashjs/package.json"), "utf8")) as {
    version: string;
  };
  const kernel = await runCommand("uname", ["-sr"]);
  return {
    commit: commit.code === 0 ? commit.stdout.trim() : "unknown",
    hasLocalChanges: changes.stdout.trim() !== "",
    node: process.version,
    browser,
    python: pythonVersion,
    aioquic,
    dashjs: dashjs.version,
    mahimahi: existsSync(ENVIRONMENT_FILE) ? ((await readEnvironment()).mahimahi?.version ?? null) : null,
    kernel: kernel.stdout.trim(),
  };
}
