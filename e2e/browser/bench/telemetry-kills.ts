/** What becomes of accepted telemetry when its server is killed, again and again. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { KillReport } from "../../../server/telemetry/crash/kill-loop.ts";
import type { BenchContext, Figure } from "./benchmark.ts";
import { atMost } from "./figures.ts";

const SENDERS = 8;
/** Of kills, between two lines of progress. */
const PROGRESS_STEP = 25;

export const READS = ["repeats", "seed"] as const;

export async function run({ options: { repeats, seed, control } }: BenchContext): Promise<Figure[]> {
  const { killLoop } = await import("../../../server/telemetry/crash/kill-loop.ts"); // takes long: the help does without
  const directory = await mkdtemp(join(tmpdir(), "nuwa-telemetry-kills-"));
  const onKill = (kills: number) => {
    if (kills % PROGRESS_STEP === 0) control.onProgress?.(`${kills} of ${repeats} kills`);
  };
  const { signal } = control;
  const options = { directory, kills: repeats, senders: SENDERS, seed, onKill };
  try {
    return figuresOf(await killLoop({ ...options, ...(signal && { signal }) }));
  } finally {
    await rm(directory, { recursive: true });
  }
}

function figuresOf(report: KillReport): Figure[] {
  return [
    count("kills of a server that serves", report.kills),
    count("of them with requests under way", report.killsDuringRequests),
    count("kills while the file was being opened, on top", report.killsWhileOpening),
    count("events accepted", report.accepted),
    count("requests that failed and were made again", report.failedRequests),
    none("accepted events lost", report.lost),
    none("events doubled", report.doubled),
    none("events changed", report.changed),
    none("sessions whose sums miss events", report.miscounted),
    none("files set aside as damaged", report.damagedFiles),
  ];
}

function count(what: string, value: number): Figure {
  return { what, value, unit: "", samples: [value], reach: null };
}

function none(what: string, value: number): Figure {
  return { ...count(what, value), reach: atMost(0) };
}
