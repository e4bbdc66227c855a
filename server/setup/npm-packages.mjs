import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, lstatSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { Problem } from "../problem.mjs";
import { PROCESS_GROUP, ROOT } from "./clone.mjs";
import { withSetupLock } from "./lock.mjs";

const PACKAGES = join(ROOT, "node_modules");
const STOP_SIGNALS = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);

/**
 * @typedef {"all" | "serving"} Packages which: all, or those without what development, tests and browsers that are driven need:
 *   that is half
 */

/**
 * What a command needs; of `nuwa` it is `bench` that drives browsers and fuzzes, and `new` that writes a test to be run next.
 *
 * @param {readonly string[]} command with its arguments
 * @param {NodeJS.ProcessEnv} environment
 * @returns {Packages}
 */
export function packagesFor([name = "", verb], { NODE_ENV } = process.env) {
  const serves =
    ["start", "prepare"].includes(name) || (name === "nuwa" && verb !== "bench" && verb !== "new");
  return NODE_ENV === "production" || serves ? "serving" : "all";
}

/**
 * Runs npm unless that was done with this lock file.
 *
 * @param {Packages} packages
 * @throws {Problem} if it fails
 */
export async function installNpmPackages(packages) {
  if (areInstalled(ROOT, packages)) return;
  const output = process.stderr;
  await withSetupLock({ output }, async () => {
    if (areInstalled(ROOT, packages)) return;
    if (lstatSync(PACKAGES, { throwIfNoEntry: false })?.isSymbolicLink()) {
      throw new Problem(
        "node_modules is a link, and what it leads to would be emptied: remove the link and try again",
        { exitCode: 1 },
      );
    }
    const wanted = isForDevelopment(ROOT) ? "all" : packages;
    const isServed = areInstalled(ROOT, "serving");
    output.write("installing npm packages ... ");
    const startedAtMs = performance.now();
    const child = spawn(
      process.execPath,
      [PROCESS_GROUP, ...npmCommand(), ...installArguments(wanted, isServed)],
      {
        cwd: ROOT,
        stdio: ["pipe", "ignore", "inherit"],
        detached: true,
      },
    );
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
        `npm ended with exit code ${exitCode}: check that the npm registry can be reached and try again`,
        { exitCode: 1 },
      );
    }
    const [missing] = missingPackages(ROOT, wanted);
    if (missing !== undefined) {
      output.write("failed\n");
      throw new Problem(`npm left ${missing} out: check that the npm registry has it and try again`, {
        exitCode: 1,
      });
    }
    output.write(`${((performance.now() - startedAtMs) / 1000).toFixed(1)} s\n`);
  });
}

/**
 * Says what is wanted, whatever npm's settings leave out. No package's install script is run: the ones that have any work without.
 *
 * @param {Packages} packages
 * @param {boolean} isServed whether those that serving needs are there: a server may be running on them, and `npm ci` would begin
 *   by removing them
 */
export function installArguments(packages, isServed) {
  const verb = isServed ? ["install", "--no-save"] : ["ci"];
  const kinds = ["--include=optional", packages === "serving" ? "--omit=dev" : "--include=dev"];
  return [
    ...verb,
    ...kinds,
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--no-progress",
    "--loglevel=error",
  ];
}

/**
 * Whether all that package-lock.json lists for this machine is there.
 *
 * @param {string} root of the clone
 * @param {Packages} packages
 */
export function areInstalled(root, packages) {
  return existsSync(npmsList(root)) && missingPackages(root, packages).length === 0;
}

/**
 * Whether packages of development are there: whoever has them keeps them, also under a new lock file.
 *
 * @param {string} root of the clone
 */
export function isForDevelopment(root) {
  return existsSync(npmsList(root)) && Object.values(packagesIn(npmsList(root))).some(({ dev }) => dev);
}

/**
 * What lacks in the list that npm writes when it has finished, or as a folder, since folders are removed by hand. Other platforms'
 * native parts may lack; for serving so may what only development needs.
 *
 * @param {string} root
 * @param {Packages} packages
 */
function missingPackages(root, packages) {
  const present = packagesIn(npmsList(root));
  const required = Object.entries(packagesIn(join(root, "package-lock.json"))).filter(([path, entry]) => {
    const { optional, dev, devOptional } = entry;
    const mayLack =
      (optional && !isForThisPlatform(entry)) || (packages === "serving" && (dev || devOptional));
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
