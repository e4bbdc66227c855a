import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, lstatSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Problem } from "../problem.mjs";
import { ROOT } from "./clone.mjs";
import { withSetupLock } from "./lock.mjs";

const PACKAGES = join(ROOT, "node_modules");
const STOP_SIGNALS = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);
const PROCESS_GROUP = fileURLToPath(new URL("process-group.mjs", import.meta.url));

/**
 * Runs `npm ci` unless that was done with this lock file.
 *
 * @throws {Problem} if it fails
 */
export async function installNpmPackages() {
  if (areInstalled(ROOT)) return;
  const output = process.stderr;
  await withSetupLock({ output }, async () => {
    if (areInstalled(ROOT)) return;
    if (lstatSync(PACKAGES, { throwIfNoEntry: false })?.isSymbolicLink()) {
      throw new Problem(
        "node_modules is a link, and what it leads to would be emptied: remove the link and try again",
        { exitCode: 1 },
      );
    }
    output.write("installing npm packages ... ");
    const startedAtMs = performance.now();
    const child = spawn(process.execPath, [PROCESS_GROUP, ...npmCommand(), ...installArguments()], {
      cwd: ROOT,
      stdio: ["pipe", "ignore", "inherit"],
      detached: true,
    });
    let stoppedBy = 0;
    for (const name of STOP_SIGNALS) {
      process.once(name, () => {
        stoppedBy = constants.signals[name];
        child.stdin?.end(); // npm ends in its own time, and the next set-up must not begin before
      });
    }
    const [exitCode] = await once(child, "exit");
    for (const name of STOP_SIGNALS) process.removeAllListeners(name);
    if (stoppedBy !== 0) process.exit(128 + stoppedBy);
    if (exitCode !== 0) {
      output.write("failed\n");
      throw new Problem(
        `npm ci ended with exit code ${exitCode}: check that the npm registry can be reached and try again`,
        { exitCode: 1 },
      );
    }
    const [missing] = missingPackages(ROOT);
    if (missing !== undefined) {
      output.write("failed\n");
      throw new Problem(`npm ci left ${missing} out: check that the npm registry has it and try again`, {
        exitCode: 1,
      });
    }
    output.write(`${((performance.now() - startedAtMs) / 1000).toFixed(1)} s\n`);
  });
}

/**
 * Says what is wanted, whatever npm's settings leave out. No package's install script is run: the ones that have any work without.
 *
 * @param {NodeJS.ProcessEnv} environment
 */
export function installArguments(environment = process.env) {
  const kinds = ["--include=optional", isProduction(environment) ? "--omit=dev" : "--include=dev"];
  return ["ci", ...kinds, "--ignore-scripts", "--no-audit", "--no-fund", "--no-progress", "--loglevel=error"];
}

/** @param {NodeJS.ProcessEnv} environment */
function isProduction({ NODE_ENV }) {
  return NODE_ENV === "production";
}

/**
 * Whether all that package-lock.json lists for this machine is there.
 *
 * @param {string} root of the clone
 * @param {NodeJS.ProcessEnv} environment
 */
export function areInstalled(root, environment = process.env) {
  return existsSync(npmsList(root)) && missingPackages(root, environment).length === 0;
}

/**
 * What lacks in the list that npm writes when it has finished, or as a folder, since folders are removed by hand. Other platforms'
 * native parts may lack; with NODE_ENV=production so may what only development needs.
 *
 * @param {string} root
 * @param {NodeJS.ProcessEnv} environment
 */
function missingPackages(root, environment = process.env) {
  const present = packagesIn(npmsList(root));
  const required = Object.entries(packagesIn(join(root, "package-lock.json"))).filter(([path, entry]) => {
    const { optional, dev, devOptional } = entry;
    const mayLack =
      (optional && !isForThisPlatform(entry)) || (isProduction(environment) && (dev || devOptional));
    return path !== "" && !(mayLack && present[path] === undefined);
  });
  return required
    .filter(
      ([path, { integrity }]) =>
        present[path]?.integrity !== integrity || !existsSync(join(root, path, "package.json")),
    )
    .map(([path]) => path);
}

/** @param {string} root */
function npmsList(root) {
  return join(root, "node_modules", ".package-lock.json");
}

/**
 * Whether it is a native part that this Node takes, of several of which each platform has one.
 *
 * @param {LockedPackage} entry
 */
function isForThisPlatform({ os, cpu, libc }) {
  if (os === undefined) return false;
  return (
    os.includes(process.platform) &&
    (cpu?.includes(process.arch) ?? true) &&
    (libc?.includes(libcName()) ?? true)
  );
}

/** @type {"musl" | "glibc" | undefined} */
let knownLibc;

/** As npm calls it. Asked for once: the report takes tens of milliseconds. */
function libcName() {
  knownLibc ??= readLibcName();
  return knownLibc;
}

function readLibcName() {
  Object.assign(process.report, { excludeNetwork: true }); // else it looks up names
  const { header } = /** @type {{header: {glibcVersionRuntime?: string}}} */ (process.report.getReport());
  return header.glibcVersionRuntime === undefined ? "musl" : "glibc";
}

/**
 * @typedef {{integrity?: string, optional?: boolean, dev?: boolean, devOptional?: boolean,
 *   os?: readonly string[], cpu?: readonly string[], libc?: readonly string[]}} LockedPackage
 */

/**
 * @param {string} lockFile
 * @returns {Record<string, LockedPackage>}
 */
function packagesIn(lockFile) {
  return JSON.parse(readFileSync(lockFile, "utf8")).packages;
}

/**
 * The npm that started us, or the one beside this Node, as a script for this Node; else the first on the PATH.
 *
 * @returns {[program: string, ...args: string[]]}
 */
export function npmCommand() {
  const folder = dirname(process.execPath);
  const scripts = [
    process.env.npm_execpath ?? "",
    join(folder, "..", "lib", "node_modules", "npm", "bin", "npm-cli.js"),
  ];
  const script = scripts.find((path) => path.endsWith("npm-cli.js") && existsSync(path));
  return script === undefined ? ["npm"] : [process.execPath, script];
}
