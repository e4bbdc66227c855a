import { type TestContext, test, vi } from "vitest";
import { presentationOf } from "../cell/presentation.ts";
import { brokenExpectations } from "../fault-rig/expectation.ts";
import type { Fault } from "../fault-rig/fault.ts";
import type { Outcome } from "../fault-rig/outcome.ts";
import { runFault } from "../fault-rig/run-fault.ts";
import { FAULTS } from "../faults/registry.ts";
import { slowdownOf } from "../process/cpu-use.ts";
import { leave, requireChrome } from "../requirements.ts";
import { TEST_FILM } from "./scenario.ts";

/** A run is mostly waiting: it takes a third of a core. */
vi.setConfig({ maxConcurrency: 2 });

/** Of moments and lengths; `npm run bench -- faults --seed N` plays others. */
const SEED = 1;

for (const fault of FAULTS.filter(({ isByCommand }) => isByCommand !== true)) {
  test.concurrent(`${fault.name}: ${fault.title}, seed ${SEED}`, async (context) => {
    const { needs = process.platform } = fault;
    if (needs !== process.platform) leave(context, `${fault.name} can be made on ${needs} alone`);
    const outcome = await outcomeOf(fault, context);
    const seen = JSON.stringify({ ...outcome, slowdown: slowdownOf(outcome.cpuUse) });
    context.expect(brokenExpectations(outcome, fault.expected), seen).toEqual([]);
  });
}

async function outcomeOf(fault: Fault, context: TestContext): Promise<Outcome> {
  const chrome = await requireChrome(context);
  const presentation = await presentationOf(TEST_FILM, () => undefined);
  return runFault(fault, { chrome, presentation, seed: SEED });
}
