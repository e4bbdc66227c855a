import { PYTHON, ROOT } from "../environment.ts";
import { runCommand } from "../setup/run-command.ts";
import type { BenchContext, Benchmark, Figure } from "./benchmark.ts";
import { medianFigure } from "./figures.ts";

const LIMIT_MS = 120_000;

/** What `python -m e2e.browser.bench.relay_load` prints. */
interface Report {
  ceiling_megabits_per_s: number;
  passing: AddedDelay;
  emulating: AddedDelay;
}

interface AddedDelay {
  p50_ms: number;
  p99_ms: number;
}

/** How fast the relay forwards, and how late, with nothing but loopback around it. */
export const relayCeiling: Benchmark = {
  name: "relay-ceiling",
  summary: "the relay on loopback: Mbit/s without a loss, and delay beside sending directly",
  defaultRepeats: 3,
  run,
};

async function run(bench: BenchContext): Promise<Figure[]> {
  const reports: Report[] = [];
  for (let repeat = 1; repeat <= bench.repeats; repeat += 1) {
    bench.control.signal?.throwIfAborted();
    bench.control.onProgress?.(`repeat ${repeat} of ${bench.repeats}`);
    reports.push(await measure());
  }
  const ms = (what: string, read: (report: Report) => number, most?: number) =>
    medianFigure(
      { what, unit: "ms", ...(most && { reach: { comparison: "at most", value: most } }) },
      reports.map(read),
    );
  return [
    medianFigure(
      {
        what: "forwarded without a loss, 1200-byte datagrams",
        unit: "Mbit/s",
        reach: { comparison: "at least", value: 150 },
      },
      reports.map((report) => report.ceiling_megabits_per_s),
    ),
    ms("added delay, idle, passing through, p50", ({ passing }) => passing.p50_ms),
    ms("the same, p99", ({ passing }) => passing.p99_ms, 2),
    ms("added delay beside the 20 ms emulated, idle, 24 Mbit/s, p50", ({ emulating }) => emulating.p50_ms),
    ms("the same, p99 (up to 1 ms is the trace's)", ({ emulating }) => emulating.p99_ms, 2),
  ];
}

async function measure(): Promise<Report> {
  const args = ["-m", "e2e.browser.bench.relay_load"];
  const { code, stdout, stderr } = await runCommand(PYTHON, args, { cwd: ROOT, timeoutMs: LIMIT_MS });
  if (code !== 0) throw new Error(`the relay's load generator failed: ${stderr}`);
  return JSON.parse(stdout) as Report;
}
