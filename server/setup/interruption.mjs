import { constants } from "node:os";
import { watchNpm } from "./npm-parent.mjs";

/** @typedef {"SIGINT" | "SIGTERM" | "SIGHUP"} StopSignal */

/** The reason of an abort that a signal caused. */
export class Interruption extends Error {
  /** @override */
  name = "Interruption";

  /** @param {StopSignal} signalName */
  constructor(signalName) {
    super(`stopped by ${signalName}`);
    this.exitCode = 128 + constants.signals[signalName];
  }
}

/**
 * Turns Ctrl-C, a hang-up and a polite kill, also of npm, into one AbortSignal; a second one ends the process at once.
 *
 * @param {NodeJS.ProcessEnv} environment
 * @returns {AbortSignal}
 */
export function abortOnSignals(environment) {
  const controller = new AbortController();
  for (const signalName of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
    process.on(signalName, () => {
      const interruption = new Interruption(signalName);
      if (controller.signal.aborted) process.exit(interruption.exitCode);
      controller.abort(interruption);
    });
  }
  watchNpm(environment, () => controller.abort(new Interruption("SIGTERM")));
  return controller.signal;
}
