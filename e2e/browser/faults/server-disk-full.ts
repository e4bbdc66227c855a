import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { FAILED_REQUEST } from "../fault-rig/console-problems.ts";
import { type Fault, UNTOUCHED } from "../fault-rig/fault.ts";

const run = promisify(execFile);

/** No file of the web server may grow, as on a full disk: it says 507, and the page keeps what it has to tell. */
export const serverDiskFull: Fault = {
  name: "server-disk-full",
  title: "disk full at the server",
  isByCommand: true,
  needs: "linux",
  strike: async ({ product }) => limitFiles(product.pid, "1:unlimited"),
  lastsSeconds: [6, 12],
  heal: async ({ product }) => limitFiles(product.pid, "unlimited:unlimited"),
  watchSeconds: 6,
  expected: { ...UNTOUCHED, consoleProblems: [FAILED_REQUEST] },
};

/** Of a file's size, as prlimit(1) takes it. */
async function limitFiles(pid: number, softAndHard: string): Promise<void> {
  await run("prlimit", ["--pid", String(pid), `--fsize=${softAndHard}`]);
}
