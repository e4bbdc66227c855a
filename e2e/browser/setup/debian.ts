import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { olderOneLineSources, olderStanzaSources } from "./older-suite.ts";
import { lastWords, runCommand } from "./run-command.ts";

/** A package that could not be had; the message is one sentence for a person. */
export class PackageError extends Error {}

const APT_TIMEOUT_MS = 300_000;
const APT_ENVIRONMENT = { ...process.env, DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C" };
const LOCK = ["-o", "DPkg::Lock::Timeout=120"];

/** @returns null where there is no /etc/os-release */
export async function readRelease(): Promise<{ id: string; codename: string } | null> {
  const text = await readFile("/etc/os-release", "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (text === null) return null;
  const value = (name: string) => new RegExp(`^${name}="?([^"\\n]*)"?$`, "m").exec(text)?.[1] ?? "";
  return { id: value("ID"), codename: value("VERSION_CODENAME") };
}

/** Whether the machine's own sources offer the package. */
export async function isAvailable(name: string) {
  const result = await runCommand("apt-cache", ["policy", name], { env: APT_ENVIRONMENT });
  return /Candidate: (?!\(none\))/.test(result.stdout);
}

/** Fetches the machine's package lists anew. */
export async function updateLists() {
  const result = await runCommand("apt-get", [...LOCK, "update"], {
    env: APT_ENVIRONMENT,
    timeoutMs: APT_TIMEOUT_MS,
  });
  if (result.code !== 0) throw new PackageError(`apt-get update failed: ${lastWords(result)}`);
}

/** Installs packages from the machine's own sources. */
export async function installPackages(names: readonly string[]) {
  const available = await Promise.all(names.map(isAvailable));
  if (available.includes(false)) await updateLists();
  const args = [...LOCK, "install", "-y", "--no-install-recommends", ...names];
  const result = await runCommand("apt-get", args, { env: APT_ENVIRONMENT, timeoutMs: APT_TIMEOUT_MS });
  if (result.code !== 0) {
    throw new PackageError(`apt-get install ${names.join(" ")} failed: ${lastWords(result)}`);
  }
}

/**
 * Downloads and unpacks packages, from the machine's own release or from an older suite of the same archive. Nothing is
 * installed, and the machine's sources and lists stay as they are.
 *
 * @param options `older` null: the machine's own suite
 * @returns package name to the package's `Depends` and version, as dpkg prints them
 */
export async function unpackPackages(
  names: readonly string[],
  { target, suites, older }: { target: string; suites: readonly string[]; older: string | null },
): Promise<Map<string, string>> {
  const work = await mkdtemp(join(tmpdir(), "nuwa-apt-"));
  try {
    const options = older === null ? LOCK : await prepareOlderApt(work, suites, older);
    const debs = join(work, "debs");
    await mkdir(debs);
    const args = [...options, "-o", "APT::Sandbox::User=root", "download", ...names];
    const result = await runCommand("apt-get", args, {
      cwd: debs,
      env: APT_ENVIRONMENT,
      timeoutMs: APT_TIMEOUT_MS,
    });
    if (result.code !== 0) throw new PackageError(`no package ${names.join(", ")}: ${lastWords(result)}`);
    return await unpackAll(debs, target);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** @returns options that point apt at the older suite alone */
async function prepareOlderApt(work: string, suites: readonly string[], older: string): Promise<string[]> {
  for (const directory of ["sources", "lists/partial", "cache/archives/partial"]) {
    await mkdir(join(work, directory), { recursive: true });
  }
  await writeOlderSources(join(work, "sources"), suites, older);
  const options = [
    ...LOCK,
    ...["-o", "Dir::Etc::SourceList=/dev/null", "-o", `Dir::Etc::SourceParts=${join(work, "sources")}`],
    ...["-o", `Dir::State::Lists=${join(work, "lists")}`, "-o", `Dir::Cache=${join(work, "cache")}`],
    ...["-o", "APT::Sandbox::User=root", "-o", "Acquire::Languages=none"],
  ];
  const result = await runCommand("apt-get", [...options, "update", "--error-on=any"], {
    env: APT_ENVIRONMENT,
    timeoutMs: APT_TIMEOUT_MS,
  });
  if (result.code !== 0) throw new PackageError(`no package lists of ${older}: ${lastWords(result)}`);
  return options;
}

async function writeOlderSources(directory: string, suites: readonly string[], older: string) {
  const parts = await readdir("/etc/apt/sources.list.d").catch(() => []);
  const files = ["/etc/apt/sources.list", ...parts.map((name) => join("/etc/apt/sources.list.d", name))];
  let written = 0;
  for (const file of files) {
    const isStanzas = file.endsWith(".sources");
    if (!isStanzas && !file.endsWith(".list")) continue;
    const text = await readFile(file, "utf8").catch(() => "");
    const rewritten = (isStanzas ? olderStanzaSources : olderOneLineSources)(text, suites, older);
    if (rewritten === "") continue;
    written += 1;
    await writeFile(join(directory, `older-${written}.${isStanzas ? "sources" : "list"}`), rewritten);
  }
  if (written === 0) throw new PackageError(`no source in /etc/apt names ${suites.join(" or ")}`);
}

async function unpackAll(debs: string, target: string): Promise<Map<string, string>> {
  const described = new Map();
  for (const file of await readdir(debs)) {
    const path = join(debs, file);
    const fields = await runCommand("dpkg-deb", ["-f", path, "Package", "Version", "Depends"]);
    const unpacked = await runCommand("dpkg-deb", ["-x", path, target]);
    if (unpacked.code !== 0) throw new PackageError(`cannot unpack ${file}: ${lastWords(unpacked)}`);
    described.set(/^Package: (.*)$/m.exec(fields.stdout)?.[1] ?? file, fields.stdout);
  }
  return described;
}
