import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runEmulated } from "../../laboratory/emulation.ts";
import { expandMatrix, loadedLink } from "../../laboratory/matrix.ts";
import { type MatrixRequest, parseMatrixOptions } from "../../laboratory/options.ts";
import type { RunPlan } from "../../laboratory/plan.ts";
import type { RunResult } from "../../laboratory/result.ts";
import { findTraces } from "../link/trace.ts";

const KNOWN = {
  schemes: ["nuwa", "cubic", "forgotten"],
  receiverDriven: ["nuwa"],
  presets: ["interactive"],
  defaultPreset: "interactive",
};
const LINK = "--links 12mbit:queue=60 --on relay --seeds 1 --duration 4";

let qlogDirectory: string;

beforeEach(async () => {
  qlogDirectory = await mkdtemp(join(tmpdir(), "nuwa-qlog-"));
});

afterEach(async () => {
  await rm(qlogDirectory, { recursive: true });
});

async function run(flows: string, signal: AbortSignal): Promise<RunResult> {
  const request = parseMatrixOptions([...LINK.split(" "), "--flows", flows], KNOWN) as MatrixRequest;
  const [choice] = request.links as [MatrixRequest["links"][number]];
  const link = loadedLink(choice, await findTraces(choice.trace, null));
  const [plan] = expandMatrix(request, [link]).flatMap(({ runs }) => runs) as [RunPlan];
  return runEmulated({ plan, link, mahimahi: null, qlogDirectory, learned: new Set(), signal });
}

test("two flows share a link over the relay, one of them from further away", async ({ signal }) => {
  const result = await run("nuwa,cubic@1:rtt=100", signal);
  const [nuwa, cubic] = result.intervals.flows;
  expect(result.link.capacityBitsPerSecond / 12e6).toBeCloseTo(1, 1);
  expect(result.link.throughputBitsPerSecond).toBeGreaterThan(6e6);
  // nothing before a flow begins; something from each while both are there
  expect(Math.max(...(cubic?.deliveredBitsPerSecond.slice(0, 10) ?? []))).toBe(0);
  expect(Math.max(...(nuwa?.deliveredBitsPerSecond ?? []))).toBeGreaterThan(1e6);
  expect(Math.max(...(cubic?.deliveredBitsPerSecond ?? []))).toBeGreaterThan(1e6);
  expect(result.flows[1]?.rttMeanMs).toBeGreaterThan(100);
  expect(result.flows.map(({ queueingDelay }) => queueingDelay !== null)).toEqual([true, true]);
  expect(await readdir(qlogDirectory)).toHaveLength(2);
});

test("a flow that fails ends its run with its name", async ({ signal }) => {
  const failed = run("cubic,forgotten@1", signal);
  await expect(failed).rejects.toThrow("receiver of forgotten ended early (exit status 2)");
  await expect(failed).rejects.toMatchObject({ failure: { scheme: "forgotten" } });
});
