import { playerBuild } from "./player-build.ts";
import { pythonEnvironment } from "./python-environments.ts";
import { runSteps } from "./steps.ts";

/** `npm run prepare-server`: all that `npm start` sets up but the film, as for an image that is made once and read afterwards. */
export async function prepare(_args: readonly string[], signal: AbortSignal): Promise<number> {
  await runSteps([[pythonEnvironment, playerBuild]], { signal, output: process.stdout });
  return 0;
}
