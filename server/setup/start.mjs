import { requireNode } from "./node-version.mjs";

requireNode();

const { runProgram } = await import("./run-program.mjs");
const { start } = await import("./start-command.mjs");
await runProgram((signal) => start(process.argv.slice(2), process.env, signal));
