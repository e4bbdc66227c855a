import { expect, test } from "vitest";
import type { Bundle } from "../bundle.ts";
import type { RunFailure } from "../result.ts";
import { type SampleMatrix, sampleMatrix } from "../samples.ts";
import { writeReport } from "./page.ts";

const FAILURE: RunFailure = { scheme: "cubic", message: "window of -1 < 0 bytes", state: { cwnd_bytes: -1 } };

function bundleOf({ request, runs }: SampleMatrix): Bundle {
  const failed = runs.filter(({ record }) => record.failure !== null).length;
  return {
    ...{
      request,
      command: ["node", "bench.ts", "--schemes", "nuwa <&> cubic"],
      writtenAt: "2026-11-21T12:00:00.000Z",
    },
    versions: {
      ...{
        commit: "0123456789abcdef",
        hasLocalChanges: false,
        node: "v20",
        python: "3.11",
        aioquic: "1.7.2",
      },
      ...{ mahimahi: null, kernel: "Linux 6" },
    },
    ...{ sources: {}, seeds: [1, 2, 3, 4, 5], failures: [], serverCpuShare: null, tables: {} },
    links: [{ name: "24mbit", downlinkSha256: "f00d", uplinkSha256: "f00d", periodMs: 1000 }],
    machine: { cpu: "a processor", cores: 2, memoryBytes: 2 ** 33 },
    runs: { finished: runs.length - failed, failed },
  };
}

/** So that a failure shows no page. */
function found(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([match]) => match);
}

function report(made: SampleMatrix): Promise<string> {
  return writeReport({ bundle: bundleOf(made), conditions: made.conditions, runs: made.runs });
}

const ONE_FLOW = sampleMatrix("--schemes nuwa,cubic --seeds 5 --duration 2", ({ arm, seed }) => {
  if (arm.name === "omniscient") return { rates: [24], p95Ms: 1 };
  return arm.name === "nuwa"
    ? { rates: [23 + seed / 10], p95Ms: 15 + seed }
    : { rates: [23.5], p95Ms: 100 + 10 * seed };
});

test("the page needs nothing from anywhere", async () => {
  const html = await report(ONE_FLOW);
  expect(found(html, /<(?:script|link|img|iframe|object)|@import|(?:src|href)=|url\((?!#)/gi)).toEqual([]);
  const names = new Set(["http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"]);
  expect(found(html, /https?:\/\/[^"'\s<]+/g).filter((address) => !names.has(address))).toEqual([]);
  expect(html.startsWith("<!doctype html>")).toBe(true);
});

test("the scatter has every scheme, the star, ellipses and no colour that night would not change", async () => {
  const html = await report(ONE_FLOW);
  const [wide = "", narrow = ""] = html.match(/<div class="(?:wide|narrow)"><svg[\s\S]*?<\/svg>/g) ?? [];
  for (const chart of [wide, narrow]) {
    const labels = found(chart, />[^<]+<\/text>/g);
    expect(labels).toEqual(expect.arrayContaining([">nuwa</text>", ">cubic</text>", ">omniscient</text>"]));
    const colours = new Set(found(chart, /(?<=(?:fill|stroke)=")[^"]+/g));
    for (const colour of colours) expect(colour).toMatch(/^(?:none|transparent|var\(--[a-z0-9-]+\))$/);
    expect([...colours]).toEqual(expect.arrayContaining(["var(--series-1)", "var(--series-2)"]));
  }
  // 23.1 to 23.5 of 24 Mbit/s in the mean 23.3, at (16 * 17 * 18 * 19 * 20)^(1/5) = 17.9 ms
  expect(found(wide, /aria-label="[^"]+/g)[0]).toContain("nuwa 23.30 Mbit/s at 17.9 ms");
});

test("the table has means, intervals and the comparison with the first scheme", async () => {
  const html = await report(ONE_FLOW);
  const rows = (html.match(/<tbody>[\s\S]*?<\/tbody>/)?.[0] ?? "").match(/<tr>[\s\S]*?<\/tr>/g) ?? [];
  expect(rows).toHaveLength(3);
  expect(rows[0]).toMatch(/nuwa<\/th><td>23\.30<small>23\.\d\d to 23\.\d\d<\/small><\/td><td>18\.0<small>/);
  // 23.5 against 23.1, 23.2, 23.3, 23.4, 23.5: 1.73, 1.29, 0.86, 0.43 and 0 % more
  expect(rows[1]).toMatch(
    /cubic<\/th><td>23\.50<small>23\.50 to 23\.50<\/small><\/td><td>130\.0<small>.*<td>\+0\.9<small>/,
  );
  expect(rows[2]).toContain("omniscient");
  expect(html).not.toContain("Failed runs");
});

test("several flows have shares, Jain's index and a table of their own", async () => {
  const made = sampleMatrix("--schemes nuwa,cubic --seeds 2 --duration 4 --flows self,cubic@1", ({ arm }) =>
    arm.flows.length === 1 ? { rates: [24], p95Ms: 1 } : { rates: [6, 18], p95Ms: 50 },
  );
  const html = await report(made);
  expect(html).toContain("<h3>Shares</h3>");
  expect(html).toContain("<h3>Flows</h3>");
  expect(html).toContain("Jain's index");
  expect(html).toContain("<td>0.800<small>0.800 to 0.800</small></td>");
  expect(html).toContain("<td>25.0<small>25.0 to 25.0</small></td>");
  expect(html).toContain("flow 1: the scheme under test");
  expect(html).toContain("flow 2: cubic, from 1 s");
});

test("a run that failed is shown as failed, and the rest is shown all the same", async () => {
  const made = sampleMatrix("--schemes nuwa,cubic --seeds 2 --duration 2", ({ arm, seed }) => {
    if (arm.name === "omniscient") return FAILURE;
    return arm.name === "cubic" && seed === 1 ? FAILURE : { rates: [20], p95Ms: 30 };
  });
  const html = await report(made);
  expect(html).toContain("Failed runs");
  expect(html).toContain("cubic, seed 1 (cubic): window of -1 &lt; 0 bytes");
  expect(html).toContain("&quot;cwnd_bytes&quot;: -1");
  expect(html).toContain('<strong class="failed">1 of 2</strong>');
  expect(html).toContain("cubic (seed 2)");
  expect(html).not.toContain(">omniscient</text>");
});

test("a condition in which nothing finished has its failures and no charts", async () => {
  const html = await report(sampleMatrix("--schemes nuwa --seeds 1 --duration 2", () => FAILURE));
  expect(html).toContain("nuwa, seed 1 (cubic)");
  expect(html).not.toContain("<svg");
});

test("the page says how it was made", async () => {
  const html = await report(ONE_FLOW);
  expect(html).toContain("npm run bench -- --schemes 'nuwa &lt;&amp;&gt; cubic'");
  expect(html).toContain("0123456789abcdef");
  expect(html).toContain("SHA-256 f00d");
});
