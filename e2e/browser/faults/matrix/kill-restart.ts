import type { Fault } from "../fault.ts";
import { FAILED_SESSION } from "./expected-problems.ts";

/** Nothing on the path tells the browser that its server is gone: a new one listens elsewhere at once. */
export const killRestart: Fault = {
  name: "kill-restart",
  title: "transport killed, and started again by its supervisor",
  strike: ({ product }) => product.killTransport(),
  watchSeconds: 13,
  expectedProblems: [FAILED_SESSION],
};
