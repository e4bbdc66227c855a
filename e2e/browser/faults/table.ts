import type { Fault } from "../fault-rig/fault.ts";
import { markdownTable } from "../markdown-table.ts";

/** All faults, what must become of the film, and who plays them; README.md beside this has it. */
export function faultsPage(faults: readonly Fault[]): string {
  const rows = faults.map((fault) => [fault.name, fault.title, filmIn(fault), playedBy(fault)]);
  return `# Faults

Something goes wrong while a film plays with 6 to 8 s in its buffer, or before it begins. A fault strikes at a moment, and lasts
for a time, that its seed draws. This page is written from \`registry.ts\`: \`npx vitest run --config
e2e/browser/vitest.config.ts faults/registry -u\`.

    npm run bench -- faults --repeats 30 --jobs 3 network-gone two-tabs

plays those two 30 times, from seeds 1 to 30, three at once. \`--repeats 1 --seed 17\` plays the seventeenth alone. Limits
are those of a quiet machine. Tests and command hold each run to them, and stretch them on a busy one
(\`../fault-rig/expectation.ts\`).

${markdownTable([["fault", "what goes wrong", "the film", "played by"], ...rows])}`;
}

function filmIn({ expected }: Fault): string {
  const { stalledSeconds, bytesAfterSeconds, firstFrameSeconds, endPath } = expected;
  const stalls = stalledSeconds === 0 ? "no stall" : `stalls up to ${stalledSeconds} s`;
  const from =
    firstFrameSeconds === undefined
      ? `bytes within ${bytesAfterSeconds} s`
      : `begins within ${firstFrameSeconds} s`;
  return `${from}, ${stalls}, ends over ${endPath === "http" ? "HTTP" : "WebTransport"}`;
}

function playedBy({ isByCommand = false, browsers = [], needs }: Fault): string {
  const where = needs === undefined ? "" : `, on ${needs}`;
  const tests = browsers.length > 1 ? "tests in each browser" : "tests";
  return `${isByCommand ? "the command" : `${tests} and the command`}${where}`;
}
