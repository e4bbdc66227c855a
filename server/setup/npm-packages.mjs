import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fingerprint } from "./fingerprint.mjs";

/**
 * `npm ci`. No package's install script is run: the ones that have any work without.
 *
 * @param {string} root
 * @param {NodeJS.ProcessEnv} environment
 * @returns {import("./steps.mjs").Step}
 */
export function npmPackages(root, environment) {
  return {
    name: "npm-packages",
    title: "installing npm packages",
    fingerprint: () =>
      fingerprint({
        root,
        files: [join(root, "package-lock.json")],
        words: [process.platform, process.arch],
      }),
    isPresent: () => existsSync(join(root, "node_modules", ".package-lock.json")),
    folder: join(root, "node_modules"),
    run: (run) =>
      run(
        [...npmCommand(environment), "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--no-progress"],
        "check that the npm registry can be reached and try again",
      ),
  };
}

/**
 * The npm that started us, or the one beside this Node: as a script for Node, since Windows cannot spawn `npm.cmd`.
 *
 * @param {NodeJS.ProcessEnv} environment
 * @returns {[string, ...string[]]}
 */
function npmCommand(environment) {
  const folder = dirname(process.execPath);
  const scripts = [
    ...(environment.npm_execpath?.endsWith("npm-cli.js") ? [environment.npm_execpath] : []),
    join(folder, "..", "lib", "node_modules", "npm", "bin", "npm-cli.js"),
    join(folder, "node_modules", "npm", "bin", "npm-cli.js"),
  ];
  const script = scripts.find((path) => existsSync(path));
  return script === undefined ? ["npm"] : [process.execPath, script];
}
