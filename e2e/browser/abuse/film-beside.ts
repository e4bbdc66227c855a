/**
 * A film in a real browser, from the product as `npm start` runs it, for the abuse suite to attack beside it:
 *
 *     node --import tsx e2e/browser/abuse/film-beside.ts SECONDS
 *
 * Says in a line of JSON when the film plays and where the servers listen, and SECONDS later what became of it.
 */

import { abortOnSignals } from "../../../server/setup/interruption.ts";
import { findBrowser } from "../browsers/find-browser.ts";
import { presentationOf } from "../cell/presentation.ts";
import type { Fault } from "../fault-rig/fault.ts";
import { runFault } from "../fault-rig/run-fault.ts";
import { prepareMachine } from "../prepare-machine.ts";

const FILM = { kind: "demo", durationSeconds: 60 } as const;

/** The fault is what others do meanwhile. */
function attacked(watchSeconds: number): Fault {
  return {
    name: "film-beside",
    title: "hostile clients beside the film",
    isUdpDirect: true,
    strike: ({ product }) => {
      const { pid, port } = product.transport;
      say({ event: "playing", pid, port, webPort: Number(new URL(product.address).port) });
    },
    watchSeconds,
    expected: { stalledSeconds: 0, endPath: "webtransport", consoleProblems: [] },
  };
}

function say(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

await prepareMachine(abortOnSignals());
const presentation = await presentationOf(FILM, (line) => process.stderr.write(`${line}\n`));
const outcome = await runFault(attacked(Number(process.argv[2])), {
  program: await findBrowser(),
  presentation,
  seed: 1,
});
say({ event: "watched", ...outcome });
