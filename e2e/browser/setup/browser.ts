import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { BrowserKind } from "../browsers/program.ts";
import type { FoundBrowser } from "../environment.ts";
import { KINDS, type KindOfBrowser } from "./browser-kinds.ts";
import { installPackages, PackageError, readRelease } from "./debian.ts";
import { isExecutable } from "./machine.ts";
import { lastWords, runCommand } from "./run-command.ts";

const DOWNLOAD_LIMIT_MS = 180_000;

interface Search {
  readonly kind: KindOfBrowser;
  /** The clone, whose puppeteer is asked. */
  readonly root: string;
  readonly onProgress: (line: string) => void;
}

/**
 * Finds a browser of this kind that starts, or gets one.
 *
 * @param options `root`: the clone, whose puppeteer is asked
 */
export async function ensureBrowser(
  name: BrowserKind,
  options: Pick<Search, "root" | "onProgress">,
): Promise<FoundBrowser> {
  const kind = KINDS[name];
  const search = { ...options, kind };
  for (const variable of kind.variables) {
    const path = process.env[variable];
    if (path === undefined || path === "") continue;
    const found = await tryBrowser(path, kind);
    return found.path === null ? { path: null, reason: `${variable}: ${found.reason}` } : found;
  }
  for (const path of [await puppeteerPath(search), ...installedPaths(kind)]) {
    if (path === null || !(await isExecutable(path))) continue;
    const found = await tryBrowser(path, kind);
    if (found.path !== null) return found;
    options.onProgress(`browser: ${found.reason}`);
  }
  if (kind.prefers === "download") return (await download(search)) ?? (await installFromDebian(search));
  const installed = await installFromDebian(search);
  return installed.path === null ? ((await download(search)) ?? installed) : installed;
}

async function tryBrowser(path: string, { version }: KindOfBrowser): Promise<FoundBrowser> {
  const result = await runCommand(path, ["--version"], { timeoutMs: 20_000 });
  const said = version.exec(result.stdout);
  if (result.code !== 0 || said === null)
    return { path: null, reason: `${path} does not start: ${lastWords(result)}` };
  return { path, version: said[0].trim() };
}

/** @returns where puppeteer keeps its own browser, whether or not it is there */
async function puppeteerPath({ root, kind }: Search): Promise<string | null> {
  const which = JSON.stringify({ browser: kind.puppeteer });
  const script = `import("puppeteer").then((puppeteer) => console.log(puppeteer.default.executablePath(${which})))`;
  const result = await runCommand(process.execPath, ["-e", script], { cwd: root });
  return result.code === 0 ? result.stdout.trim() : null;
}

function installedPaths({ names, macPath }: KindOfBrowser): string[] {
  const directories = (process.env.PATH ?? "").split(delimiter).filter((directory) => directory !== "");
  const paths = names.flatMap((name) => directories.map((directory) => join(directory, name)));
  return [...paths, macPath].filter((path) => existsSync(path));
}

async function download(search: Search): Promise<FoundBrowser | null> {
  const { root, kind, onProgress } = search;
  const { title, downloadMegabytes, puppeteer } = kind;
  onProgress(`browser: no ${title} here; downloading it (about ${downloadMegabytes} MB)`);
  const isRoot = process.getuid?.() === 0;
  const hasLibraries = puppeteer === "chrome" && isRoot && (await readRelease()) !== null;
  const withLibraries = hasLibraries ? ["--install-deps"] : [];
  const args = ["--no-install", "puppeteer", "browsers", "install", puppeteer, ...withLibraries];
  const result = await runCommand("npx", args, { cwd: root, timeoutMs: DOWNLOAD_LIMIT_MS });
  if (result.code !== 0) {
    onProgress(`browser: the download failed: ${lastWords(result)}`);
    return null;
  }
  const path = await puppeteerPath(search);
  if (path === null) return null;
  const found = await tryBrowser(path, kind);
  if (found.path !== null) return found;
  onProgress(`browser: ${found.reason}`);
  return null;
}

async function installFromDebian({ kind, onProgress }: Search): Promise<FoundBrowser> {
  const { title, debian, variables } = kind;
  const advice = `install ${title}, or set ${variables[0]} to one`;
  const release = process.platform === "linux" ? await readRelease() : null;
  if (release?.id !== "debian" || process.getuid?.() !== 0) {
    const isSnap = release?.id === "ubuntu" ? "Ubuntu's is a snap, which these tests cannot drive: " : "";
    return { path: null, reason: `browser: ${isSnap}${advice}` };
  }
  onProgress(`browser: installing Debian's ${debian.package}`);
  try {
    await installPackages([debian.package]);
  } catch (error) {
    if (error instanceof PackageError) return { path: null, reason: `browser: ${advice} (${error.message})` };
    throw error;
  }
  return tryBrowser(debian.path, kind);
}
