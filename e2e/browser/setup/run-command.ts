import { type CommandResult, collectOutput } from "../../../server/setup/children.ts";

/**
 * Runs a command to its end and collects what it wrote; never throws for what the command does. Neither a timeout nor
 * the end of this process, however it ends, leaves anything of it behind.
 */
export function runCommand(
  command: string,
  args: readonly string[],
  options: { readonly timeoutMs?: number; readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<CommandResult> {
  const { timeoutMs = 60_000, cwd = process.cwd(), env = {} } = options;
  return collectOutput([command, ...args], { cwd, timeoutMs, environment: env });
}

/** What a failed command said last, in one line, for a reason shown to a person. */
export function lastWords(result: CommandResult): string {
  if (result.timedOut) return "it did not end in time";
  const lines = `${result.stdout}\n${result.stderr}`.split("\n").filter((line) => line.trim() !== "");
  return lines.at(-1)?.trim() ?? `exit status ${result.code}`;
}
