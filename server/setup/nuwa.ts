import COMMANDS from "../../e2e/nuwa/commands.json" with { type: "json" };
import { keepForbiddenBytecode } from "./bytecode.ts";
import { runInTerminal } from "./children.ts";
import { pythonForQuestions } from "./find-python.mjs";
import { ROOT } from "./paths.ts";
import { ENVIRONMENTS, type PythonEnvironment } from "./python-environments.ts";
import { runSteps } from "./steps.ts";

/** `npm run nuwa -- COMMAND ...`: sets up what the command needs, and passes everything on to e2e/nuwa. */
export async function nuwa(args: readonly string[], signal: AbortSignal): Promise<number> {
  keepForbiddenBytecode();
  const environment = environmentOf(args);
  await runSteps(environment?.steps ?? [], { signal, output: process.stderr });
  return runInTerminal([environment?.python ?? pythonForQuestions(), "-P", "-m", "e2e.nuwa", ...args], {
    cwd: process.env.INIT_CWD ?? process.cwd(), // where npm was called: paths are meant from there
    environment: { PYTHONPATH: ROOT, PYTHONUTF8: "1" },
    signal,
  });
}

/** @returns undefined where Python itself will do, as it does for any help and for words that are not known */
export function environmentOf(args: readonly string[]): PythonEnvironment | undefined {
  const [word, verb = ""] = args;
  if (args.some((argument) => argument === "--help" || argument === "-h")) return undefined;
  const command = COMMANDS.find((entry) => entry.word === word);
  const onTop = args.some((argument) => /^--cluster(=|$)/.test(argument)) ? ", cluster" : "";
  const ofVerb: Readonly<Record<string, string>> = command?.environment_of_verb ?? {};
  return ENVIRONMENTS[ofVerb[verb] ?? `${command?.environment}${onTop}`];
}
