import { BROWSER_KINDS } from "../browsers/program.ts";
import { FAILED_SESSION } from "../fault-rig/console-problems.ts";
import { type Fault, GOES_ON } from "../fault-rig/fault.ts";

/** Nothing on the path tells the browser that its server is gone: a new one listens elsewhere at once. */
export const killRestart: Fault = {
  name: "kill-restart",
  title: "transport killed, and started again by its supervisor",
  strike: ({ product }) => product.killTransport(),
  browsers: BROWSER_KINDS,
  watchSeconds: 12,
  expected: { ...GOES_ON, consoleProblems: [FAILED_SESSION] },
};
