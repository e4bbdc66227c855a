// `node server/setup/bootstrap.mjs COMMAND ARGUMENTS...` is what package.json's scripts run. It works with any Node and without
// packages: it looks at Node's version and the system, gets the npm packages, and leaves the rest to TypeScript.
import { requireNode } from "./node-version.mjs";

requireNode();

const { Problem } = await import("../problem.mjs");
const { requireSystem } = await import("./system.mjs");
const [command, ...args] = process.argv.slice(2);
try {
  requireSystem();
  await answerHelp();
  const { endWithNpm } = await import("./npm-parent.mjs");
  endWithNpm();
  const { installNpmPackages, packagesFor } = await import("./npm-packages.mjs");
  await installNpmPackages(packagesFor(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof Problem)) throw error;
  error.end();
}
process.env.TSX_DISABLE_CACHE = "1"; // of children, whether this process compiles by tsx or not (typescript.mjs)
const { main } = await import(await programOf(command));
await main(process.argv.slice(2));

/**
 * What `run` names may be any file; all else is in one program.
 *
 * @param {string | undefined} name
 */
async function programOf(name) {
  const { compiledProgram } = await import("./compiled.mjs");
  const program = name === "run" ? null : await compiledProgram();
  if (program === null) await import("./typescript.mjs");
  else process.setSourceMapsEnabled(true);
  return program ?? "./main.ts";
}

/** Of what answers before anything is installed. */
async function answerHelp() {
  const asksForHelp =
    args.length === 0 || args.some((argument) => argument === "--help" || argument === "-h");
  if (command === "nuwa" && asksForHelp) {
    const { helpOfNuwa } = await import("./nuwa-help.mjs");
    process.exit(helpOfNuwa(args));
  }
  const { ROOT } = await import("./clone.mjs");
  const { areInstalled } = await import("./npm-packages.mjs");
  if (command === "start" && !areInstalled(ROOT, "serving")) {
    const { answerStart } = await import("./start-help.mjs");
    const exitCode = answerStart(args);
    if (exitCode !== null) process.exit(exitCode);
  }
}
