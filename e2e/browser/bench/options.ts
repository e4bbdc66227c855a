import { OptionError } from "../cell/options.ts";

/** What the command can be given for a benchmark, beside its subjects. */
export const BENCH_OPTIONS = {
  repeats: { type: "string" },
  seed: { type: "string" },
  minutes: { type: "string" },
  preset: { type: "string" },
  beside: { type: "string" },
  jobs: { type: "string" },
  "any-commit": { type: "boolean" },
} as const;

export type BenchOption = keyof typeof BENCH_OPTIONS;

/** @throws OptionError for what is given and not read: it would change nothing, and stand in the title and the file */
export function requireRead(
  benchmark: string,
  given: Readonly<Partial<Record<BenchOption, string | boolean>>>,
  reads: readonly BenchOption[],
): void {
  for (const option of Object.keys(BENCH_OPTIONS) as BenchOption[]) {
    const value = given[option];
    if (value === undefined || reads.includes(option)) continue;
    const said = value === true ? `--${option}` : `--${option} ${value}`;
    const read = reads.map((name) => `--${name}`).join(", ");
    throw new OptionError(`${said}: ${benchmark} does not read it; it reads ${read}`);
  }
}
