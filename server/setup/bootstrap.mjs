// `node server/setup/bootstrap.mjs COMMAND ARGUMENTS...` is what package.json's scripts run. It works with any Node and without
// packages: it looks at Node's version, gets the npm packages, and leaves the rest to TypeScript.
import { requireNode } from "./node-version.mjs";

requireNode();

const [command, ...args] = process.argv.slice(2);
const asksForHelp = args.length === 0 || args.some((argument) => argument === "--help" || argument === "-h");
if (command === "nuwa" && asksForHelp) {
  const { helpOfNuwa } = await import("./nuwa-help.mjs");
  process.exit(helpOfNuwa(args));
}
const { ROOT } = await import("./clone.mjs");
const { areInstalled, installNpmPackages } = await import("./npm-packages.mjs");
if (command === "start" && !areInstalled(ROOT)) {
  const { answerStart } = await import("./start-help.mjs");
  const exitCode = answerStart(args);
  if (exitCode !== null) process.exit(exitCode);
}
const { endWithNpm } = await import("./npm-parent.mjs");
endWithNpm();
try {
  await installNpmPackages();
} catch (error) {
  const { Problem } = await import("../problem.mjs");
  if (!(error instanceof Problem)) throw error;
  error.end();
}
await import("./typescript.mjs");
const { main } = await import("./main.ts");
await main(process.argv.slice(2));
