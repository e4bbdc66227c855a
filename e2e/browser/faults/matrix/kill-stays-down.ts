import type { Fault } from "../fault.ts";
import { FAILED_SESSION } from "./expected-problems.ts";

/** Whatever the supervisor starts is killed, too. */
export const killStaysDown: Fault = {
  name: "kill-stays-down",
  title: "transport killed, staying down",
  strike: ({ product }) => product.keepTransportDown(),
  watchSeconds: 13,
  expectedProblems: [FAILED_SESSION],
};
