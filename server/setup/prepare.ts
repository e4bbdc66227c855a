import { keepForbiddenBytecode } from "./bytecode.ts";
import { runCommand } from "./children.ts";
import { ROOT, VENV, VENV_PYTHON } from "./paths.ts";
import { playerBuild } from "./player-build.ts";
import { pythonEnvironment } from "./python-environments.ts";
import { runSteps } from "./steps.ts";

/** Python cannot keep what it compiles where nothing can be written: each start would compile all that it imports. */
const COMPILE = [
  VENV_PYTHON,
  "-m",
  "compileall",
  "-q",
  "-j",
  "0",
  VENV,
  "cc",
  "models",
  "transport",
  "e2e",
] as const;

/** `npm run prepare-server`: all that `npm start` sets up but the film, as for an image that is made once and read afterwards. */
export async function prepare(_args: readonly string[], signal: AbortSignal): Promise<number> {
  keepForbiddenBytecode();
  await runSteps([[pythonEnvironment, playerBuild]], { signal, output: process.stdout });
  await runCommand(COMPILE, { cwd: ROOT, signal }); // a saving: what it cannot compile may be of another Python, and needed by nobody
  process.stdout.write("all is set up: npm start begins at once, but for its film\n");
  return 0;
}
