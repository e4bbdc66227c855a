import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { BUILD } from "../paths.ts";

/** Where tests leave their reports, and what runs beside others leaves what it says. */
export const REPORTS = join(BUILD, "test");

/** Runs something beside others. What it says is shown in one piece at its end, not between others' lines. */
export async function inOnePiece(
  name: string,
  run: (logFile: string) => Promise<number>,
  {
    folder = REPORTS,
    output = process.stdout,
  }: { folder?: string; output?: { write(text: string): unknown } } = {},
): Promise<number> {
  const logFile = join(folder, `${name}.log`);
  mkdirSync(dirname(logFile), { recursive: true });
  writeFileSync(logFile, "");
  const exitCode = await run(logFile);
  output.write(`\n${readFileSync(logFile, "utf8")}`);
  return exitCode;
}
