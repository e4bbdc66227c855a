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

/** Turns Ctrl-C, a hang-up and a polite kill into one AbortSignal; a second one ends the process at once. */
export function abortOnSignals(): AbortSignal {
  const controller = new AbortController();
  for (const signalName of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signalName, () => {
      const interruption = new Interruption(signalName);
      if (controller.signal.aborted) process.exit(interruption.exitCode);
      controller.abort(interruption);
    });
  }
  return controller.signal;
}
