import { requireNode } from "./node-version.mjs";

requireNode();

const { runProgram } = await import("./run-program.mjs");
const { experiment } = await import("./experiment-command.mjs");
await runProgram((signal) => experiment(process.argv.slice(2), process.env, signal));
