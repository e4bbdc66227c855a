import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { headlines, headlinesHtml } from "./headlines.ts";
import { MeasuredFigures } from "./measured-figures.ts";

const PAGE = `
<!-- figures: npm run bench -- lte | goodput, Nuwa / CUBIC | p95* -->
| figure                | measured                          | to reach |
| --------------------- | --------------------------------- | -------- |
| goodput, Nuwa / CUBIC | 0.955 (3 runs: 0.948 to 0.982)    | >= 0.95  |
| missed                | **-0.5 ms** (3 runs: 0.4 to 0.6)  | >= 1     |

2026-11-24, commit 05e5048, 2 cores.
<!-- end -->
<!-- figures: npm run bench -- all -->
| one | 2.5 s |
| many | 10,137,492 inputs |
<!-- end -->
Its share is <!-- figure: npm run bench -- all | two -->0.25 s<!-- end --> there.
`;

test.each([
  ["LF", PAGE],
  ["CRLF", PAGE.replaceAll("\n", "\r\n")],
])("figures are found by their command and their name, missed ones too, in a page with %s", (_ends, page) => {
  const measured = new MeasuredFigures(page);
  expect(measured.figure("npm run bench -- lte", "goodput, Nuwa / CUBIC").value).toBe(0.955);
  expect(measured.figure("npm run bench -- lte", "missed").value).toBe(-0.5);
  expect(measured.figure("npm run bench -- all", "one").value).toBe(2.5);
  expect(measured.figure("npm run bench -- all", "many").value).toBe(10_137_492);
  expect(measured.figure("npm run bench -- all", "two").value).toBe(0.25);
});

test.each([
  ["0.2 (95 %, n = 12: -0.1 to 0.5)", [-0.1, 0.5]],
  ["**-0.2** (95 %, 20 starts: -0.5 to 0.1)", [-0.5, 0.1]],
  ["12,000 (95 %, n = 12: 10,000 to 14,000)", [10_000, 14_000]],
  ["0.3 (3 runs: -0.1 to 0.5)", null],
])("%s has its interval", (cell, interval) => {
  const page = `<!-- figures: npm run bench -- x -->\n| gain | ${cell} | |\n<!-- end -->`;
  expect(new MeasuredFigures(page).figure("npm run bench -- x", "gain").interval).toEqual(interval);
});

test("a figure that is not there is named", () => {
  expect(() => new MeasuredFigures(PAGE).figure("npm run bench -- lte", "speed")).toThrow(
    'README.md has no figure "speed" of "npm run bench -- lte"',
  );
});

test("README.md has every figure that the page shows", () => {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const entries = headlines(new MeasuredFigures(readme));
  expect(entries.map(({ figure }) => figure).filter((figure) => !/^\d[\d.]*( %)?$/.test(figure))).toEqual([]);
  expect(headlinesHtml(entries).match(/<code>npm run bench -- /g)).toHaveLength(entries.length);
  expect(entries.find(({ command }) => command.includes("film-gain"))?.meaning).toMatch(
    /^more QoE \(95 %: −?\d+ to −?\d+\).*BBA there −?\d+ % \(95 %: −?\d+ to −?\d+\)$/,
  );
});
