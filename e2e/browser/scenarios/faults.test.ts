import { type TestContext, test, vi } from "vitest";
import { presentationOf } from "../cell/presentation.ts";
import type { Fault } from "../fault-rig/fault.ts";
import { type Outcome, unexplainedProblems } from "../fault-rig/outcome.ts";
import { runFault } from "../fault-rig/run-fault.ts";
import { FAULTS } from "../faults/registry.ts";
import { slowdownOf } from "../process/cpu-use.ts";
import { leave, requireChrome } from "../requirements.ts";
import { TEST_FILM } from "./scenario.ts";

/** What a shared machine may take beyond what is expected: single samples late, a second for what it does besides. */
const ALLOWED_STALL_SECONDS = 0.5;
const ALLOWED_WAIT_SECONDS = 1;

/** A run is mostly waiting: it takes a third of a core. */
vi.setConfig({ maxConcurrency: 2 });

/** Of moments and lengths; `npm run bench -- faults --seed N` plays others. */
const SEED = 1;

for (const fault of FAULTS.filter(({ isByCommand }) => isByCommand !== true)) {
  test.concurrent(`${fault.name}: ${fault.title}, seed ${SEED}`, async (context) => {
    const { needs = process.platform } = fault;
    if (needs !== process.platform) leave(context, `${fault.name} can be made on ${needs} alone`);
    const outcome = await outcomeOf(fault, context);
    expectAsSaid(context.expect, outcome, fault.expected);
  });
}

async function outcomeOf(fault: Fault, context: TestContext): Promise<Outcome> {
  const chrome = await requireChrome(context);
  const presentation = await presentationOf(TEST_FILM, () => undefined);
  return runFault(fault, { chrome, presentation, seed: SEED });
}

/**
 * Reports each failure, not only the first. Times are those of a machine that is there for the film alone: what waits for a
 * processor takes as much longer as it waited, and a decoder stands still no longer than that.
 */
function expectAsSaid({ soft }: TestContext["expect"], outcome: Outcome, expected: Fault["expected"]): void {
  const slowdown = slowdownOf(outcome.cpuUse);
  const seen = JSON.stringify({ ...outcome, slowdown });
  const within = (seconds: number) => (seconds + ALLOWED_WAIT_SECONDS) * slowdown;
  soft(unexplainedProblems(outcome, expected), "console").toEqual([]);
  soft(outcome.stalledSeconds, `stalled: ${seen}`).toBeLessThan(
    expected.stalledSeconds * slowdown + ALLOWED_STALL_SECONDS,
  );
  if (outcome.cpuUse !== null) {
    const heldUp = ALLOWED_STALL_SECONDS + outcome.cpuUse.waitedSeconds;
    soft(outcome.heldUpSeconds, `stood still with data ahead: ${seen}`).toBeLessThan(heldUp);
  }
  const { missing, dropped } = outcome.telemetry;
  soft([missing, dropped], `telemetry missing and dropped: ${seen}`).toEqual([0, 0]);
  soft(outcome.isPlayingAtEnd, `plays at the end: ${seen}`).toBe(true);
  soft(outcome.endPath, seen).toBe(expected.endPath);
  if (expected.bytesAfterSeconds !== undefined)
    soft(outcome.bytesAfterSeconds, `bytes flow again: ${seen}`).toBeLessThan(
      within(expected.bytesAfterSeconds),
    );
  if (expected.firstFrameSeconds !== undefined)
    soft(outcome.firstFrameSeconds, `first frame: ${seen}`).toBeLessThan(within(expected.firstFrameSeconds));
  if (expected.paths !== undefined) soft(outcome.paths, seen).toEqual(expected.paths);
  if (expected.httpSegments === "none") soft(outcome.httpSegments, seen).toBe(0);
  if (expected.httpSegments === "some") soft(outcome.httpSegments, seen).toBeGreaterThan(0);
  if (expected.notice !== undefined) soft(outcome.notice, seen).toMatch(expected.notice);
}
