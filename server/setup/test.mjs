import { requireNode } from "./node-version.mjs";

requireNode();

const { runProgram } = await import("./run-program.mjs");
const { test } = await import("./test-command.mjs");
await runProgram((signal) => test(process.argv.slice(2), process.env, signal));
