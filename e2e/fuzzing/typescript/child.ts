/**
 * `node --import tsx e2e/fuzzing/typescript/child.ts TARGET...`: a run over each target, in a process that it may take
 * down. What each found is a line of JSON on standard output, as `e2e.fuzzing.child` says it.
 */

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import fc from "fast-check";
import { TARGETS } from "./registry.ts";
import type { NodeTarget } from "./target.ts";
import { Watch } from "./watch.ts";

const INPUTS_EACH_DRAW = 1000;
const WARM_SHARE = 0.3;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    engine: { type: "string" },
    seed: { type: "string", default: "1" },
    inputs: { type: "string", default: "1000" },
    seconds: { type: "string" },
    findings: { type: "string", default: "." },
    replay: { type: "string" },
    journal: { type: "string" },
  },
});
for (const name of positionals) await run(name);

async function run(name: string): Promise<void> {
  const target = TARGETS.find((each) => each.name === name);
  if (target === undefined) throw new Error(`there is no target ${name}`);
  const watch = new Watch(target, values.findings, values.journal);
  if (values.replay === undefined) {
    await feedAll(target, watch);
    process.stdout.write(`${JSON.stringify(await watch.end())}\n`);
    return;
  }
  const { inputs } = JSON.parse(readFileSync(values.replay, "utf8")) as { inputs: string[] };
  for (const input of inputs) await watch.feed(Buffer.from(input, "base64"));
  if ((await watch.end()).findings.length > 0) process.exitCode = 1;
}

async function feedAll({ inputs: drawn }: NodeTarget, watch: Watch): Promise<void> {
  const inputs = Number(values.inputs);
  const beganMs = performance.now();
  const endMs = values.seconds === undefined ? Infinity : beganMs + 1000 * Number(values.seconds);
  for (let fed = 0; fed < inputs && performance.now() < endMs && !watch.isOver; fed += INPUTS_EACH_DRAW) {
    const numRuns = Math.min(INPUTS_EACH_DRAW, inputs - fed);
    for (const data of fc.sample(drawn, { seed: Number(values.seed) * 1_000_003 + fed, numRuns })) {
      await watch.feed(data);
    }
    const share = (performance.now() - beganMs) / (endMs - beganMs);
    if (Math.max(fed / inputs, share) >= WARM_SHARE) watch.warm();
  }
}
