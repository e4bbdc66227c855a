import { fstatSync } from "node:fs";

/** The most severe first. */
export const LOG_LEVELS = ["error", "warn", "info", "debug"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Writes one line for each message: what stands before it, then the text. */
export type Log = Readonly<Record<LogLevel, (message: string) => void>>;

/** What stands before a message. */
export type LineHead = (severity: LogLevel) => string;

/** As systemd has them: sd-daemon(3). */
const PRIORITIES: Readonly<Record<LogLevel, number>> = { error: 3, warn: 4, info: 6, debug: 7 };

/** Time and level. */
export function headWithTime(now: () => Date = () => new Date()): LineHead {
  return (severity) => `${now().toISOString()} ${severity.padEnd(5)} `;
}

/** A priority and the level, for systemd's journal, which notes the time by itself. */
export const headForJournal: LineHead = (severity) => `<${PRIORITIES[severity]}>${severity.padEnd(5)} `;

/** For what a file descriptor leads to: the journal names its stream in the environment (systemd.exec(5)). */
export function headFor(descriptor: number, { JOURNAL_STREAM }: NodeJS.ProcessEnv): LineHead {
  if (!JOURNAL_STREAM) return headWithTime();
  const { dev, ino } = fstatSync(descriptor, { bigint: true });
  return JOURNAL_STREAM === `${dev}:${ino}` ? headForJournal : headWithTime();
}

/** A log that drops what is less severe than `level`. */
export function createLog(
  level: LogLevel,
  write: (line: string) => void,
  head: LineHead = headWithTime(),
): Log {
  const at = (severity: LogLevel) => (message: string) => {
    if (LOG_LEVELS.indexOf(severity) > LOG_LEVELS.indexOf(level)) return;
    write(`${head(severity)}${onOneLine(message)}\n`);
  };
  return { error: at("error"), warn: at("warn"), info: at("info"), debug: at("debug") };
}

/** Line ends and other control characters as escapes: what a client sends must not be able to forge a line. */
function onOneLine(message: string): string {
  return message.replace(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1));
}
