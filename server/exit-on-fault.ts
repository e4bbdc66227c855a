import type { Log } from "./log.ts";

/**
 * A fault that nobody has handled is logged and ends the server, whose state cannot be trusted any more; what it started
 * ends with it.
 *
 * @returns takes the watch off again
 */
export function exitOnFault(log: Log, exit: (code: number) => void = process.exit): () => void {
  const end = (fault: unknown) => {
    log.error(
      `the server ends after an unexpected fault: ${fault instanceof Error ? fault.stack : String(fault)}`,
    );
    exit(1);
  };
  process.on("unhandledRejection", end);
  process.on("uncaughtException", end);
  return () => {
    process.off("unhandledRejection", end);
    process.off("uncaughtException", end);
  };
}
