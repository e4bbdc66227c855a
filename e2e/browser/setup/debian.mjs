import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { olderOneLineSources, olderStanzaSources } from "./older-suite.mjs";
import { lastWords, runCommand } from "./run-command.mjs";

/** A package that could not be had; the message is one sentence for a person. */
export class PackageError extends Error {}

const APT_TIMEOUT_MS = 300_000;
const APT_ENVIRONMENT = { ...process.env, DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C" };
const LOCK = ["-o", "DPkg::Lock::Timeout=120"];

/**
 * @returns {Promise<{ id: string, codename: string } | null>} null where there is no /etc/os-release
 */
export async function readRelease() {
  const text = await readFile("/etc/os-release", "utf8").catch(
    (/** @type {NodeJS.ErrnoException} */ error) => {
      if (error.code === "ENOENT") return null;
      throw error;
    },
  );
  if (text === null) return null;
  const value = (/** @type {string} */ name) =>
    new RegExp(`^${name}="?([^"\\n]*)"?$`, "m").exec(text)?.[1] ?? "";
  return { id: value("ID"), codename: value("VERSION_CODENAME") };
}

/**
 * Whether the machine's own sources offer the package.
 *
 * @param {string} name
 */
export async function isAvailable(name) {
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

/**
 * Installs packages from the machine's own sources.
 *
 * @param {readonly string[]} names
 */
export async function installPackages(names) {
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
 * @param {readonly string[]} names
 * @param {{ target: string, suites: readonly string[], older: string | null }} options `older` null: the machine's own suite
 * @returns {Promise<Map<string, string>>} package name to the package's `Depends` and version, as dpkg prints them
 */
export async function unpackPackages(names, { target, suites, older }) {
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

/**
 * @param {string} work
 * @param {readonly string[]} suites
 * @param {string} older
 * @returns {Promise<string[]>} options that point apt at the older suite alone
 */
async function prepareOlderApt(work, suites, older) {
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

/**
 * @param {string} directory
 * @param {readonly string[]} suites
 * @param {string} older
 */
async function writeOlderSources(directory, suites, older) {
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

/**
 * @param {string} debs
 * @param {string} target
 * @returns {Promise<Map<string, string>>}
 */
async function unpackAll(debs, target) {
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
