/** Nuwa's estimate while a download fills the link, and Nuwa-RL's decisions while a film plays, in each browser. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { BROWSER_KINDS, type BrowserKind } from "../browsers/program.ts";
import type { Cell } from "../cell/run-cell.ts";
import type { BenchContext, CellChanges, Figure, Sample } from "./benchmark.ts";
import { atMost, medianFigure } from "./figures.ts";

const LINK = { trace: "24mbit", delayMs: 20, queuePackets: 300, lossRatio: 0, via: "relay" } as const;
const BYTES = 30e6;
/** As long as a decision of a policy may take at most. */
const DECISION_LIMIT_MS = 4;
const ERROR_LIMIT_PERCENT = 3;

export const SUBJECTS: readonly string[] = BROWSER_KINDS;

export async function run(bench: BenchContext): Promise<Figure[]> {
  const chosen = BROWSER_KINDS.filter((kind) => bench.isChosen(kind));
  const arms = Object.fromEntries(chosen.flatMap((kind) => Object.entries(armsOf(kind))));
  const cells = await bench.interleave(arms);
  const figures = chosen.map(async (kind) => {
    const downloads = cells[`${kind}-download`] ?? [];
    const films = await Promise.all((cells[`${kind}-film`] ?? []).map(policyOf));
    return [
      medianFigure(
        `${kind}: Nuwa's estimate, median error`,
        downloads.map(errorPercent),
        "%",
        atMost(ERROR_LIMIT_PERCENT),
      ),
      medianFigure(
        `${kind}: a decision of Nuwa-RL, p99`,
        films.map((policy) => policy?.p99Ms ?? null),
        "ms",
        atMost(DECISION_LIMIT_MS),
      ),
      medianFigure(`${kind}: decisions that came late`, films.map(latePercent), "%"),
    ];
  });
  return (await Promise.all(figures)).flat();
}

function armsOf(browser: BrowserKind): Record<string, CellChanges> {
  const film = {
    kind: "film",
    source: { kind: "demo", durationSeconds: 30 },
    watchSeconds: 20,
    seeks: [],
  } as const;
  const download = { kind: "bulk", bytes: BYTES } as const;
  const slower = { ...LINK, trace: "8mbit" }; // which the film fills
  return {
    [`${browser}-download`]: { name: `${browser}-download`, browser, link: LINK, workload: download },
    [`${browser}-film`]: {
      name: `${browser}-film`,
      browser,
      scheme: "nuwa-rl",
      link: slower,
      workload: film,
    },
  };
}

interface PolicyReport {
  readonly decided: number;
  readonly late: number;
  readonly p99Ms: number | null;
}

async function policyOf({ directory }: Cell): Promise<PolicyReport | null> {
  const snapshot = JSON.parse(await readFile(join(directory, "snapshot.json"), "utf8")) as {
    estimate: { policy: PolicyReport | null } | null;
  };
  return snapshot.estimate?.policy ?? null;
}

function errorPercent({ bundle }: Cell): Sample {
  const error = bundle.metrics.receiverEstimate?.ofPayloadCapacity ?? null;
  return error === null ? null : 100 * error;
}

function latePercent(policy: PolicyReport | null): Sample {
  if (policy === null) return null;
  const due = policy.decided + policy.late; // what came late was not taken
  return due === 0 ? null : (100 * policy.late) / due;
}
