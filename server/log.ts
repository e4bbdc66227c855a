import type { LogLevel } from "./setup/option-values.ts";

/** Writes one line for each message: time, level, text. */
export type Log = Readonly<Record<LogLevel, (message: string) => void>>;

const ORDER: readonly LogLevel[] = ["error", "warn", "info", "debug"];

/** A log that drops what is less severe than `level`. */
export function createLog(
  level: LogLevel,
  write: (line: string) => void,
  now: () => Date = () => new Date(),
): Log {
  const at = (severity: LogLevel) => (message: string) => {
    if (ORDER.indexOf(severity) > ORDER.indexOf(level)) return;
    write(`${now().toISOString()} ${severity.padEnd(5)} ${onOneLine(message)}\n`);
  };
  return { error: at("error"), warn: at("warn"), info: at("info"), debug: at("debug") };
}

/** Line ends and other control characters as escapes: what a client sends must not be able to forge a line. */
function onOneLine(message: string): string {
  return message.replace(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1));
}
