import { requireNode } from "./node-version.mjs";

requireNode();

const { runProgram } = await import("./run-program.mjs");
const { check } = await import("./check-command.mjs");
await runProgram((signal) => check(process.argv.slice(2), process.env, signal));
