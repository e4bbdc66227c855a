// Runs a command, `node process-group.mjs PROGRAM ARGUMENTS...`, as leader of a process group of its own. When standard input
// closes, which it does when the parent ends, however that ends, or on SIGTERM, the whole group ends: pip and npm start others
// that no signal to pip and npm reaches.
import { spawn } from "node:child_process";

const STOP_LIMIT_MS = 5_000;

const [program = "", ...args] = process.argv.slice(2);
const child = spawn(program, args, { stdio: ["ignore", "inherit", "inherit"] });
let isStopping = false;

process.on("SIGTERM", stop);
process.stdin.resume().on("end", stop);
child.on("error", (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(127); // as shells say that a command cannot be run
});
child.on("exit", (code) => {
  if (isStopping) signalGroup("SIGKILL");
  process.exit(code ?? 1);
});

function stop() {
  if (isStopping) return; // our own signal to the group
  isStopping = true;
  signalGroup("SIGTERM");
  setTimeout(() => signalGroup("SIGKILL"), STOP_LIMIT_MS);
}

/** @param {NodeJS.Signals} signalName */
function signalGroup(signalName) {
  process.kill(-process.pid, signalName);
}
