import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Problem } from "../problem.mjs";
import { type Command, runCommand } from "./children.ts";
import { fingerprint } from "./fingerprint.mjs";
import { npmCommand } from "./npm-packages.mjs";
import { BUILD, ROOT, VENV_PYTHON } from "./paths.ts";
import { pythonEnvironment, sitePackages } from "./python-environments.ts";
import { runSteps, type Step } from "./steps.ts";

const USAGE = `Makes the documentation site: all pages, the library's API and the Python package's.

  npm run docs     into .build/site; it prints the address to open
`;

const SETTINGS = join(ROOT, "e2e", "site");
const OUTPUT = join(BUILD, "site");
const NODE_MODULES = join(SETTINGS, "node_modules");

/** TypeDoc, with the TypeScript that it takes: the clone's own is newer. */
export const typedocPackages: Step = {
  name: "site-npm-packages",
  title: "installing npm packages for the documentation site",
  folder: NODE_MODULES,
  fingerprint: () => fingerprint({ root: ROOT, files: [join(SETTINGS, "package-lock.json")] }),
  isPresent: () => existsSync(join(NODE_MODULES, ".package-lock.json")),
  run: (run) => {
    const [program, ...args] = npmCommand();
    const command: Command = [program, ...args, "ci", "--prefix", SETTINGS, "--ignore-scripts", "--no-audit"];
    return run(command, "check that the npm registry can be reached and try again");
  },
};

/** `npm run docs`. */
export async function docs(words: readonly string[], signal: AbortSignal): Promise<number> {
  if (words.some((word) => ["--help", "-h"].includes(word))) {
    process.stdout.write(USAGE);
    return 0;
  }
  if (words.length > 0) throw new Problem(`npm run docs takes no arguments, not ${words.join(" ")}`);
  await runSteps([pythonEnvironment, sitePackages, typedocPackages], { signal, output: process.stderr });
  rmSync(OUTPUT, { recursive: true, force: true });
  for (const [name, command] of Object.entries(builders())) {
    const exitCode = await runCommand(command, { cwd: ROOT, signal });
    if (exitCode !== 0) {
      throw new Problem(`${name} failed with exit code ${exitCode}: put right what it says above`, {
        exitCode: 1,
      });
    }
  }
  process.stdout.write(`${pathToFileURL(join(OUTPUT, "index.html")).href}\n`);
  return 0;
}

/** TypeDoc over what the library exports, into a folder. Whatever it warns of is an error. */
export function libraryApi(folder: string): Command {
  const typedoc = join(NODE_MODULES, "typedoc", "bin", "typedoc");
  return [process.execPath, typedoc, "--options", SETTINGS, "--out", folder, "--logLevel", "Warn"];
}

/** Sphinx fills the folder; the others have folders within. */
function builders(): Readonly<Record<string, Command>> {
  const api = (name: string) => join(OUTPUT, "api", name);
  const strict = ["-q", "-W", "--keep-going"];
  const folders = ["-c", SETTINGS, "-d", join(BUILD, "site-doctrees"), ROOT, OUTPUT];
  return {
    Sphinx: [VENV_PYTHON, "-m", "sphinx", ...strict, ...folders],
    pdoc: [VENV_PYTHON, "-m", "e2e.site.python_api", api("python")],
    TypeDoc: libraryApi(api("library")),
  };
}
