import type { Log } from "./log.ts";
import type { LogLevel } from "./setup/options.mjs";

/** Python's names of the levels. */
const LEVELS: Readonly<Record<string, LogLevel>> = {
  CRITICAL: "error",
  ERROR: "error",
  WARNING: "warn",
  INFO: "info",
  DEBUG: "debug",
};

/**
 * Relays the transport's log as part of the server's own. A line without a level, as of a traceback, is an error's: it is
 * never dropped.
 */
export function relayTransportLog(log: Log): (line: string) => void {
  return (line) => {
    const [, name = "", text = ""] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    const level = LEVELS[name];
    if (level === undefined) log.error(`transport: ${line}`);
    else log[level](`transport: ${text.replace(/^transport\./, "")}`);
  };
}
