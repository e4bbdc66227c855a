import { constants } from "node:os";

type StopSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

/** The reason of an abort that a signal caused. */
export class Interruption extends Error {
  override name = "Interruption";
  readonly exitCode: number;

  constructor(signalName: StopSignal) {
    super(`stopped by ${signalName}`);
    this.exitCode = 128 + constants.signals[signalName];
  }
}

/**
 * Turns Ctrl-C, a hang-up and a polite kill into one AbortSignal; the second of a kind ends the process at once. One of another
 * kind does not: a terminal that is closed hangs up, and then ends npm, which sends a polite kill (`npm-parent.mjs`).
 */
export function abortOnSignals(): AbortSignal {
  const controller = new AbortController();
  for (const signalName of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signalName, () => {
      const interruption = new Interruption(signalName);
      controller.abort(interruption);
      process.once(signalName, () => process.exit(interruption.exitCode));
    });
  }
  return controller.signal;
}
