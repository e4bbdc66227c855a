import { expect, type TestContext } from "vitest";
import { presentationOf } from "../cell/presentation.ts";
import type { Fault } from "../faults/fault.ts";
import type { Outcome } from "../faults/outcome.ts";
import { runFault } from "../faults/run-fault.ts";
import { requireChrome } from "../requirements.ts";
import { TEST_FILM } from "./scenario.ts";

/** No stall, but for single samples that a busy machine took late. */
export const NO_STALL_SECONDS = 0.5;
/** 3 s is to be reached; a shared machine may take a second for what it does besides. */
export const BYTES_WITHIN_SECONDS = 3 + 1;
/** The same for the first frame without UDP: 4 s. */
export const FIRST_FRAME_WITHIN_SECONDS = 4 + 1;

/** What becomes of a film that the fault befalls. A page that reports an error which the fault does not explain fails the test. */
export async function befall(context: TestContext, fault: Fault): Promise<Outcome> {
  const chrome = await requireChrome(context);
  const presentation = await presentationOf(TEST_FILM, () => undefined);
  const outcome = await runFault(fault, { chrome, presentation });
  const unexplained = outcome.problems.filter(
    (problem) => !fault.expectedProblems.some((pattern) => pattern.test(problem)),
  );
  expect(unexplained).toEqual([]);
  return outcome;
}
