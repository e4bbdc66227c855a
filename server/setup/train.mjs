import { requireNode } from "./node-version.mjs";

requireNode();

const { runProgram } = await import("./run-program.mjs");
const { train } = await import("./train-command.mjs");
await runProgram((signal) => train(process.argv.slice(2), process.env, signal));
