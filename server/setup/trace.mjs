import { requireNode } from "./node-version.mjs";

requireNode();

const { runProgram } = await import("./run-program.mjs");
const { trace } = await import("./trace-command.mjs");
await runProgram((signal) => trace(process.argv.slice(2), process.env, signal));
