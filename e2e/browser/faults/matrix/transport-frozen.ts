import type { Fault } from "../fault.ts";
import { FAILED_SESSION } from "./expected-problems.ts";

/** The transport's port stays open and its socket takes what comes; nobody answers. */
export const transportFrozen: Fault = {
  name: "transport-frozen",
  title: "transport frozen 10 s",
  strike: ({ product }) => product.freezeTransport(),
  lastsSeconds: 10,
  heal: ({ product }) => product.thawTransport(),
  watchSeconds: 15,
  expectedProblems: [FAILED_SESSION],
};
