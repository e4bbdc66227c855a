import { type TestContext, test, vi } from "vitest";
import type { BrowserKind } from "../browsers/program.ts";
import { presentationOf } from "../cell/presentation.ts";
import { brokenExpectations } from "../fault-rig/expectation.ts";
import type { Fault } from "../fault-rig/fault.ts";
import type { Outcome } from "../fault-rig/outcome.ts";
import { runFault } from "../fault-rig/run-fault.ts";
import { FAULTS } from "../faults/registry.ts";
import { slowdownOf } from "../process/cpu-use.ts";
import { leave, requireBrowser } from "../requirements.ts";
import { TEST_FILM } from "./scenario.ts";

/** A run is mostly waiting: it takes a third of a core. */
vi.setConfig({ maxConcurrency: 2 });

/** Of moments and lengths; `npm run bench -- faults --seed N` plays others. */
const SEED = 1;

const PLAYED = FAULTS.filter(({ isByCommand }) => isByCommand !== true).flatMap((fault) =>
  (fault.browsers ?? (["chromium"] as const)).map((kind) => ({ fault, kind })),
);

for (const { fault, kind } of PLAYED) {
  test.concurrent(`${fault.name}: ${fault.title}, ${kind}, seed ${SEED}`, async (context) => {
    const { needs = process.platform } = fault;
    if (needs !== process.platform) leave(context, `${fault.name} can be made on ${needs} alone`);
    const outcome = await outcomeOf(fault, kind, context);
    const seen = JSON.stringify({ ...outcome, slowdown: slowdownOf(outcome.cpuUse) });
    context.expect(brokenExpectations(outcome, fault.expected), seen).toEqual([]);
  });
}

async function outcomeOf(fault: Fault, kind: BrowserKind, context: TestContext): Promise<Outcome> {
  const program = await requireBrowser(context, kind);
  const presentation = await presentationOf(TEST_FILM, () => undefined);
  return runFault(fault, { program, presentation, seed: SEED });
}
