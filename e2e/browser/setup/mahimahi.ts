import { chmod, copyFile, cp, mkdir, mkdtemp, realpath, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  installPackages,
  isAvailable,
  PackageError,
  readRelease,
  unpackPackages,
  updateLists,
} from "./debian.ts";
import { isExecutable, ORDINARY_USER, prepareKernel, prepareTools, prepareUser } from "./machine.ts";
import { lastWords, runCommand } from "./run-command.ts";
import { asOrdinaryUser, type Mahimahi } from "./shell-command.ts";

type MahimahiResult =
  | { readonly ok: true; readonly mahimahi: Mahimahi }
  | { readonly ok: false; readonly reason: string };

const PROGRAMS = ["mm-delay", "mm-link", "mm-loss"];

/** The last Debian release that had mahimahi; its programs run on later ones. */
const LAST_DEBIAN_SUITE = "bullseye";

/** Where programs are kept if the clone lies where the ordinary user may not look (under /root, say). */
const SYSTEM_PLACE = "/opt/nuwa-stream/mahimahi";

/** Makes sure that mahimahi runs here: finds it or fetches it, and tries it. */
export async function ensureMahimahi({
  buildDirectory,
  onProgress,
}: {
  buildDirectory: string;
  onProgress: (line: string) => void;
}): Promise<MahimahiResult> {
  const unsupported = await whyUnsupported();
  if (unsupported !== null) return { ok: false, reason: unsupported };
  try {
    await prepareTools();
    await prepareKernel();
    await prepareUser();
    const place = await choosePlace(join(buildDirectory, "mahimahi"));
    const mahimahi = (await findInstalled(place)) ?? (await fetchMahimahi(place, onProgress));
    await installWrapper(place, mahimahi);
    await tryShell(mahimahi);
    return { ok: true, mahimahi };
  } catch (error) {
    if (error instanceof PackageError) return { ok: false, reason: `mahimahi: ${error.message}` };
    throw error;
  }
}

async function whyUnsupported(): Promise<string | null> {
  const release = process.platform === "linux" ? await readRelease() : null;
  if (release === null || !["debian", "ubuntu"].includes(release.id)) {
    return "mahimahi: link emulation is set up on Debian and Ubuntu only; run these tests there";
  }
  if (process.getuid?.() !== 0)
    return "mahimahi: setting up link emulation needs root; run these tests as root";
  return null;
}

/** @returns a directory from which setuid programs work for the ordinary user */
async function choosePlace(preferred: string): Promise<string> {
  for (const place of [preferred, SYSTEM_PLACE]) {
    await mkdir(place, { recursive: true });
    const mount = await runCommand("findmnt", ["-n", "-o", "OPTIONS", "--target", place]);
    const look = await runCommand("setpriv", [
      ...[`--reuid=${ORDINARY_USER}`, `--regid=${ORDINARY_USER}`, "--init-groups", "--", "test", "-x", place],
    ]);
    if (look.code === 0 && !/\b(nosuid|noexec)\b/.test(mount.stdout)) return place;
  }
  throw new PackageError(
    `neither ${preferred} nor ${SYSTEM_PLACE} lets an ordinary user run a setuid program`,
  );
}

async function findInstalled(place: string): Promise<Mahimahi | null> {
  const iptablesWrapper = join(place, "iptables-as-root");
  const base = { user: ORDINARY_USER, iptablesWrapper };
  if ((await areSetuid("/usr/bin")) && (await isDirectory("/usr/share/mahimahi/traces"))) {
    const fields = await runCommand("dpkg-query", ["-s", "mahimahi"]);
    const traces = "/usr/share/mahimahi/traces";
    return { ...base, binaries: "/usr/bin", traces, version: readVersion(fields.stdout) };
  }
  const binaries = join(place, "bin");
  const traces = join(place, "traces");
  if (!(await areSetuid(binaries)) || !(await isDirectory(traces))) return null;
  const version = await runCommand("cat", [join(place, "version")]);
  return { ...base, binaries, traces, version: version.stdout.trim() };
}

/** @param fields as dpkg prints them */
function readVersion(fields: string) {
  return /^Version: (.*)$/m.exec(fields)?.[1] ?? "unknown";
}

async function areSetuid(directory: string) {
  for (const program of PROGRAMS) {
    const found = await stat(join(directory, program)).catch(() => null);
    if (found === null || found.uid !== 0 || (found.mode & 0o4001) !== 0o4001) return false;
  }
  return true;
}

async function isDirectory(path: string) {
  return (await stat(path).catch(() => null))?.isDirectory() ?? false;
}

async function fetchMahimahi(place: string, onProgress: (line: string) => void): Promise<Mahimahi> {
  const release = await readRelease();
  if (!(await isAvailable("mahimahi"))) await updateLists();
  const isOwn = await isAvailable("mahimahi");
  if (!isOwn && release?.id !== "debian")
    throw new PackageError("enable the universe component, which has it");
  const older = isOwn ? null : LAST_DEBIAN_SUITE;
  onProgress(`mahimahi: fetching its packages${older === null ? "" : ` from Debian ${older}`}`);
  const unpacked = await mkdtemp(join(tmpdir(), "nuwa-mahimahi-"));
  try {
    const options = { target: unpacked, suites: [release?.codename ?? "", "stable"], older };
    const described = await unpackPackages(["mahimahi", "mahimahi-traces"], options);
    const fields = described.get("mahimahi") ?? "";
    await installPrograms(unpacked, place, fields);
  } finally {
    await rm(unpacked, { recursive: true, force: true });
  }
  const found = await findInstalled(place);
  if (found === null) throw new PackageError(`its packages hold no ${PROGRAMS.join(", ")} or no traces`);
  return found;
}

/** @param fields the package's `Version` and `Depends` */
async function installPrograms(unpacked: string, place: string, fields: string) {
  const binaries = join(place, "bin");
  await mkdir(binaries, { recursive: true });
  for (const program of PROGRAMS) {
    const target = join(binaries, program);
    await copyFile(join(unpacked, "usr/bin", program), target);
    await chmod(target, 0o4755);
  }
  await cp(join(unpacked, "usr/share/mahimahi/traces"), join(place, "traces"), { recursive: true });
  await writeFile(join(place, "version"), readVersion(fields));
  const linked = await runCommand("ldd", [join(binaries, "mm-link")]);
  if (linked.stdout.includes("not found")) await installLibraries(fields);
}

/**
 * Installs the libraries of mm-link from the machine's own release. Those that only mahimahi's web tools need may no longer
 * exist there and are left out.
 */
async function installLibraries(fields: string) {
  const depends = /^Depends: (.*)$/m.exec(fields)?.[1] ?? "";
  const names = depends.split(",").map((entry) => entry.trim().split(" ")[0] ?? "");
  const wanted = [];
  await updateLists();
  for (const name of names.filter((entry) => entry.startsWith("lib"))) {
    if (await isAvailable(name)) wanted.push(name);
    else if (await isAvailable(`${name}t64`)) wanted.push(`${name}t64`);
  }
  await installPackages(wanted);
}

/**
 * Writes the program that stands over iptables: it becomes root wholly, then runs a copy of the other iptables.
 */
async function installWrapper(place: string, mahimahi: Mahimahi) {
  const legacy = join(place, "xtables-legacy-multi");
  if (!(await isExecutable(legacy))) {
    await copyFile(await realpath("/usr/sbin/iptables-legacy"), legacy);
    await chmod(legacy, 0o755);
  }
  const becomeRoot = "/usr/bin/setpriv --reuid=0 --regid=0 --clear-groups";
  await writeFile(mahimahi.iptablesWrapper, `#!/bin/bash -p\nexec ${becomeRoot} ${legacy} iptables "$@"\n`);
  await chmod(mahimahi.iptablesWrapper, 0o755);
}

async function tryShell(mahimahi: Mahimahi) {
  const trace = join(mahimahi.traces, "Verizon-LTE-short.down");
  const delay = join(mahimahi.binaries, "mm-delay");
  const link = join(mahimahi.binaries, "mm-link");
  const { command, args } = asOrdinaryUser(mahimahi, [delay, "1", link, trace, trace, "--", "true"]);
  const result = await runCommand(command, args, { timeoutMs: 20_000, cwd: "/" });
  if (result.code !== 0) {
    throw new PackageError(
      `its shell does not start (a container needs the rights to mount and to administer the network): ${lastWords(result)}`,
    );
  }
}
