import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { installPackages, PackageError, readRelease } from "./debian.ts";
import { isExecutable } from "./machine.ts";
import { lastWords, runCommand } from "./run-command.ts";

type BrowserResult =
  | { readonly ok: true; readonly chrome: string; readonly version: string }
  | { readonly ok: false; readonly reason: string };

const VARIABLES = ["NUWA_CHROME", "PUPPETEER_EXECUTABLE_PATH"];
const NAMES = ["google-chrome-stable", "google-chrome", "chromium", "chromium-browser", "chrome"];
const MAC_CHROME = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";
const DOWNLOAD_LIMIT_MS = 180_000;

/**
 * Finds a Chrome or Chromium that starts, or gets one.
 *
 * @param options `root`: the clone, whose puppeteer is asked
 */
export async function ensureBrowser({
  root,
  onProgress,
}: {
  root: string;
  onProgress: (line: string) => void;
}): Promise<BrowserResult> {
  for (const variable of VARIABLES) {
    const path = process.env[variable];
    if (path === undefined || path === "") continue;
    const found = await tryBrowser(path);
    return found.ok ? found : { ok: false, reason: `${variable}: ${found.reason}` };
  }
  for (const path of [await puppeteerPath(root), ...installedPaths()]) {
    if (path === null || !(await isExecutable(path))) continue;
    const found = await tryBrowser(path);
    if (found.ok) return found;
    onProgress(`browser: ${found.reason}`);
  }
  return (await download(root, onProgress)) ?? (await installFromDebian(onProgress));
}

async function tryBrowser(path: string): Promise<BrowserResult> {
  const result = await runCommand(path, ["--version"], { timeoutMs: 20_000 });
  const version = /^(?:Google Chrome|Chromium|Chrome)\S* .*$|^Google Chrome for Testing .*$/m.exec(
    result.stdout,
  );
  if (result.code !== 0 || version === null) {
    return { ok: false, reason: `${path} does not start: ${lastWords(result)}` };
  }
  return { ok: true, chrome: path, version: version[0].trim() };
}

/** @returns where puppeteer keeps its own Chrome, whether or not it is there */
async function puppeteerPath(root: string): Promise<string | null> {
  const script = 'import("puppeteer").then((puppeteer) => console.log(puppeteer.default.executablePath()))';
  const result = await runCommand(process.execPath, ["-e", script], { cwd: root });
  return result.code === 0 ? result.stdout.trim() : null;
}

function installedPaths(): string[] {
  const directories = (process.env.PATH ?? "").split(delimiter).filter((directory) => directory !== "");
  const paths = NAMES.flatMap((name) => directories.map((directory) => join(directory, name)));
  return [...paths, MAC_CHROME].filter((path) => existsSync(path));
}

async function download(root: string, onProgress: (line: string) => void): Promise<BrowserResult | null> {
  onProgress("browser: no Chrome or Chromium here; downloading Chrome (about 150 MB)");
  const isRoot = process.getuid?.() === 0;
  const withLibraries = isRoot && (await readRelease()) !== null ? ["--install-deps"] : [];
  const args = ["--no-install", "puppeteer", "browsers", "install", "chrome", ...withLibraries];
  const result = await runCommand("npx", args, { cwd: root, timeoutMs: DOWNLOAD_LIMIT_MS });
  if (result.code !== 0) {
    onProgress(`browser: the download failed: ${lastWords(result)}`);
    return null;
  }
  const path = await puppeteerPath(root);
  if (path === null) return null;
  const found = await tryBrowser(path);
  if (found.ok) return found;
  onProgress(`browser: ${found.reason}`);
  return null;
}

async function installFromDebian(onProgress: (line: string) => void): Promise<BrowserResult> {
  const advice = "install Google Chrome or Chromium, or set NUWA_CHROME to one";
  const release = process.platform === "linux" ? await readRelease() : null;
  if (release?.id === "ubuntu") {
    return {
      ok: false,
      reason: `browser: Ubuntu's chromium is a snap, which these tests cannot drive: ${advice}`,
    };
  }
  if (release?.id !== "debian" || process.getuid?.() !== 0) {
    return { ok: false, reason: `browser: ${advice}` };
  }
  onProgress("browser: installing Debian's chromium");
  try {
    await installPackages(["chromium"]);
  } catch (error) {
    if (error instanceof PackageError) return { ok: false, reason: `browser: ${advice} (${error.message})` };
    throw error;
  }
  return tryBrowser("/usr/bin/chromium");
}
