import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { Problem } from "../problem.mjs";
import { ROOT } from "./clone.mjs";

const PREFIX = "npm_config_";

/** What npm tells every script. */
const ALWAYS = [
  "cache",
  "global_prefix",
  "globalconfig",
  "init_module",
  "local_prefix",
  "node_gyp",
  "noproxy",
  "npm_version",
  "prefix",
  "user_agent",
  "userconfig",
];

/** What people set for node-gyp, once and for all. */
const OF_NODE_GYP = ["jobs"];

/**
 * Without two dashes npm takes a program's option for its own, and the program would go on with its defaults. The program's
 * help says which are its options; it is asked where npm tells of any that it does not tell always.
 *
 * @param args as bootstrap.mjs gets them: the command and its arguments
 * @throws Problem that names the option
 */
export function refuseKeptByNpm(
  args: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
  helpOf: (args: readonly string[]) => string = askForHelp,
): void {
  const names = Object.keys(environment)
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => name.slice(PREFIX.length))
    .filter((name) => ![...ALWAYS, ...OF_NODE_GYP].includes(name))
    .map((name) => name.replaceAll("_", "-"));
  if (names.length === 0 || args.some((argument) => argument === "--help" || argument === "-h")) return;
  const words = new Set(helpOf(args).split(/[^\w-]+/));
  const kept = names.find((name) => words.has(`--${name}`) || words.has(`--no-${name}`));
  if (kept === undefined) return;
  const script = environment.npm_lifecycle_event ?? "nuwa";
  throw new Problem(
    `npm kept --${kept} for itself: write two dashes before all that is the program's, npm run ${script} -- ... --${kept}`,
  );
}

function askForHelp(args: readonly string[]): string {
  const bootstrap = join(ROOT, "server", "setup", "bootstrap.mjs");
  return spawnSync(process.execPath, [bootstrap, ...args, "--help"], { encoding: "utf8" }).stdout;
}
