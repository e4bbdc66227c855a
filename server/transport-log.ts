import type { Log, LogLevel } from "./log.ts";

/** What sentences and lines of the log call it. */
export const MEDIA_SERVER = "media server";

/** Python's names of the levels. */
const LEVELS: Readonly<Record<string, LogLevel>> = {
  CRITICAL: "error",
  ERROR: "error",
  WARNING: "warn",
  INFO: "info",
  DEBUG: "debug",
};

/**
 * Relays the log of the media server, or of another service, as part of the server's own. A line without a level, as of a
 * traceback, is an error's: it is never dropped.
 */
export function relayTransportLog(log: Log, service = MEDIA_SERVER): (line: string) => void {
  return (line) => {
    const [, name = "", text = ""] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    const level = LEVELS[name];
    if (level === undefined) log.error(`${service}: ${line}`);
    else log[level](`${service}: ${text.replace(/^transport\./, "")}`);
  };
}
