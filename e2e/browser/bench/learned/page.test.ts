import { expect, test } from "vitest";
import type { EmulatedRow } from "./emulation.ts";
import { type PageOptions, writePage } from "./page.ts";
import { figure, REPORT } from "./samples.ts";

const VERSIONS = {
  ...{ commit: "0123456789abcdef", hasLocalChanges: false, node: "v20", browser: "none", python: "3.11" },
  ...{ aioquic: "1.7.2", dashjs: "5", mahimahi: "0.98", kernel: "Linux 6" },
};
const EMULATED: EmulatedRow[] = [
  {
    ...{ title: "Nuwa-RL", link: "24mbit" },
    simulation: { throughputMbps: 23, delayMs: 60 },
    mahimahi: { throughputMbps: 23, delayMs: 50 },
  },
];

function page(changes: Partial<PageOptions> = {}): Promise<string> {
  const decisions = [
    figure("Nuwa-RL: a decision", 0.125, { unit: "ms", reach: { comparison: "at most", value: 0.5 } }),
  ];
  const rest = { versions: VERSIONS, writtenAt: "2026-11-21T12:00:00.000Z", repeats: 3 };
  return writePage({ report: REPORT, emulated: EMULATED, decisions, ...rest, ...changes });
}

/** So that a failure shows no page. */
function found(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([match]) => match);
}

test("the page needs nothing from anywhere, and escapes what it was told", async () => {
  const html = await page();
  expect(found(html, /<(?:script|link|img|iframe|object)|@import|(?:src|href)=|url\((?!#)/gi)).toEqual([]);
  expect(html).toContain("Pairs &lt;&amp;&gt; intervals.");
  expect(html).toContain("Reward: throughput &lt; delay.");
});

test("what was to be reached is counted, and said beside each figure", async () => {
  const html = await page();
  // reached: the reward, the throughput in both places, the decision; missed: the front and the delay, 20 % apart
  expect(html).toContain("3 of 5 figures reached");
  expect(html).toMatch(
    /less Nuwa, k = 1&?[^<]*<\/th><td><span class="reached">reached<\/span><\/td><td>0\.0200/,
  );
  expect(html).toMatch(/above the front<\/th><td><span class="missed">missed<\/span><\/td><td>\u22122\.00 %/);
  expect(html).toMatch(/<span class="missed">20\.0<\/span>/);
});

test("policies that are not shipped are named as such, and so are traces that are not there", async () => {
  const html = await page();
  expect(html).toMatch(/Owl<\/th><td><span class="muted">not shipped/);
  expect(html).toContain("Not shipped: Owl.");
  expect(html).toContain("Not installed, and so left out: Verizon-LTE-short.");
});

test("pictures say what they show and take the page's colours", async () => {
  const html = await page();
  const labels = found(html, /(?<=<svg[^>]*aria-label=")[^"]+/g);
  expect(labels).toEqual([
    "Nuwa-RL, reward less that of Nuwa, k = 1 0.0200 (0.0100 to 0.0300); Nuwa, k = 9 0.0400 (-0.0100 to 0.0900).",
    "4G: k = 1 4.00 Mbit/s at 10.0 ms; k = 2 5.00 Mbit/s at 40.0 ms; k = 9 8.00 Mbit/s at 30.0 ms; Nuwa-RL 6.00 Mbit/s at 20.0 ms.",
    "Owl, Throughput (Mbit/s): Owl 6.00 at 0 %; cubic 5.00 at 0 %; Owl 7.00 at 50 %; cubic 5.00 at 50 %.",
    "Owl, Round trip (ms): Owl 60.00 at 0 %; cubic 60.00 at 0 %; Owl 60.00 at 50 %; cubic 60.00 at 50 %.",
    "Owl, PPO, Throughput (Mbit/s): Owl, PPO 8.00 at 0 %.",
    "Owl, PPO, Round trip (ms): Owl, PPO 60.00 at 0 %.",
  ]);
  const [, svg = ""] = html.match(/(<svg[^>]*aria-label="4G[\s\S]*?<\/svg>)/) ?? [];
  const colours = new Set(found(svg, /(?<=(?:fill|stroke)=")[^"]+/g));
  for (const colour of colours) expect(colour).toMatch(/^(?:none|transparent|var\(--[a-z0-9-]+\))$/);
  expect(found(svg, />[^<]+<\/text>/g)).toEqual(expect.arrayContaining([">k = 1</text>", ">Nuwa-RL</text>"]));
});

test("what is known has a table a policy, a row an arm and a column a share, and no list of figures", async () => {
  const html = await page();
  expect(html).toMatch(
    /Owl<\/th><td>6\.00<small>60\.0<\/small><\/td><td>7\.00<small>60\.0<\/small><\/td><\/tr>/,
  );
  expect(html).toMatch(/cubic<\/th><td>5\.00/);
  expect(html).not.toContain("throughput of Owl");
});

test("a run that failed is no figure", async () => {
  const [row] = EMULATED;
  const html = await page({ emulated: [{ ...(row as EmulatedRow), mahimahi: null }], decisions: [] });
  expect(html).toContain('<strong class="failed">failed</strong>');
  expect(html).toContain("not measured");
  expect(html).toContain("1 of 4 figures reached");
});

test("without any policy the page says so", async () => {
  const report = { ...REPORT, policies: [], parts: [] };
  const html = await page({ report, emulated: [], decisions: [] });
  expect(html).toContain("0 of 0 figures reached");
  expect(html).toContain("No policy is shipped.");
});
