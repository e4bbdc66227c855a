import { type TestContext, test, vi } from "vitest";
import { presentationOf } from "../cell/presentation.ts";
import type { Fault } from "../fault-rig/fault.ts";
import type { Outcome } from "../fault-rig/outcome.ts";
import { runFault } from "../fault-rig/run-fault.ts";
import { FAULTS } from "../faults/registry.ts";
import { requireChrome } from "../requirements.ts";
import { TEST_FILM } from "./scenario.ts";

/** What a shared machine may take beyond what is expected: single samples late, a second for what it does besides. */
const ALLOWED_STALL_SECONDS = 0.5;
const ALLOWED_WAIT_SECONDS = 1;

/** A run is mostly waiting: it takes a third of a core. */
vi.setConfig({ maxConcurrency: 2 });

for (const fault of FAULTS) {
  test.concurrent(`${fault.name}: ${fault.title}`, async (context) => {
    const outcome = await outcomeOf(fault, context);
    expectAsSaid(context.expect, outcome, fault.expected);
  });
}

async function outcomeOf(fault: Fault, context: TestContext): Promise<Outcome> {
  const chrome = await requireChrome(context);
  const presentation = await presentationOf(TEST_FILM, () => undefined);
  return runFault(fault, { chrome, presentation });
}

/** Reports each failure, not only the first. */
function expectAsSaid({ soft }: TestContext["expect"], outcome: Outcome, expected: Fault["expected"]): void {
  soft(unexplained(outcome, expected), "console").toEqual([]);
  soft(outcome.stalledSeconds).toBeLessThan(expected.stalledSeconds + ALLOWED_STALL_SECONDS);
  soft(outcome.isPlayingAtEnd).toBe(true);
  soft(outcome.endPath).toBe(expected.endPath);
  if (expected.bytesAfterSeconds !== undefined) {
    const limit = expected.bytesAfterSeconds + ALLOWED_WAIT_SECONDS;
    soft(outcome.bytesAfterSeconds, "bytes flow again").toBeLessThan(limit);
  }
  if (expected.firstFrameSeconds !== undefined) {
    const limit = expected.firstFrameSeconds + ALLOWED_WAIT_SECONDS;
    soft(outcome.firstFrameSeconds, "first frame").toBeLessThan(limit);
  }
  if (expected.paths !== undefined) soft(outcome.paths).toEqual(expected.paths);
  if (expected.httpSegments === "none") soft(outcome.httpSegments).toBe(0);
  if (expected.httpSegments === "some") soft(outcome.httpSegments).toBeGreaterThan(0);
  if (expected.notice !== undefined) soft(outcome.notice).toMatch(expected.notice);
}

function unexplained({ problems }: Outcome, { consoleProblems }: Fault["expected"]): string[] {
  return problems.filter((problem) => !consoleProblems.some((pattern) => pattern.test(problem)));
}
