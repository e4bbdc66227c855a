/** `npm run e2e -- [options]`: one cell by hand. Exit status: 0 done, 1 the run failed, 2 the options make no sense. */
import { relative } from "node:path";
import { MediaError } from "../../media/media-error.ts";
import { RULES } from "../../player/src/rules/registry.ts";
import { abortOnSignals } from "../../server/setup/interruption.ts";
import { readRegistry } from "../../server/setup/registry.ts";
import { type KnownNames, OptionError, parseOptions, usage } from "./cell/options.ts";
import { runCell } from "./cell/run-cell.ts";
import { summarise } from "./cell/summary.ts";
import { LinkError } from "./link/trace.ts";
import { prepareMachine } from "./prepare-machine.ts";

async function main(): Promise<void> {
  const registry = await readRegistry();
  const known: KnownNames = {
    schemes: registry.schemes.map((scheme) => scheme.name),
    presets: registry.presets.map((preset) => preset.name),
    rules: RULES.map((rule) => rule.name),
  };
  const asked = parseOptions(process.argv.slice(2), known);
  if (asked.kind === "help") process.stdout.write(usage(known));
  if (asked.kind !== "run") return;
  const onProgress = (line: string) => void process.stderr.write(`${line}\n`);
  const signal = abortOnSignals();
  await prepareMachine(signal);
  const { directory, bundle } = await runCell(asked.cell, { onProgress, signal });
  process.stdout.write(`${summarise(bundle)}\nBundle: ${relative(process.cwd(), directory)}\n`);
}

try {
  await main();
} catch (error) {
  const isAsked = error instanceof OptionError || error instanceof LinkError || error instanceof MediaError;
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = isAsked ? 2 : 1;
}
