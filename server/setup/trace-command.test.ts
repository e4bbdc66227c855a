import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { drawTrace } from "../../transport/trace_tool/trace-chart.ts";
import { temporaryFolder } from "../sample-app.ts";

const TRACE = fileURLToPath(new URL("trace.mjs", import.meta.url));

/** `npm run trace -- ...`, called in `folder`. */
function trace(folder: string, ...args: string[]) {
  const env = { ...process.env, INIT_CWD: folder };
  return spawnSync(process.execPath, [TRACE, ...args], { encoding: "utf8", env });
}

test("paths are meant from where npm was called, and the exit code is passed on", () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "walk.csv"), "time_s,x_mbps\n0,1\n1,3\n");
  const converted = trace(folder, "convert", "walk.csv", "walk.pensieve");
  expect([converted.status, converted.stderr]).toEqual([0, ""]);
  expect(readFileSync(join(folder, "walk.pensieve"), "utf8")).toBe("0\t1\n1\t1\n2\t3\n");
  writeFileSync(join(folder, "bad.down"), "3\n2\n");
  expect(trace(folder, "validate", "bad.down")).toMatchObject({
    status: 1,
    stderr: "bad.down:2: goes back in time, from 3 to 2 ms\n",
  });
  expect(trace(folder, "show", "nowhere").status).toBe(2);
});

test("a trace is drawn with its figures and outages", async () => {
  const svg = await drawTrace({
    title: "walk",
    subtitle: "CSV · 3 s",
    fine_bin_s: 0.1,
    fine: [
      [0, 2],
      [1, 0],
      [2, 4],
      [3, 4],
    ],
    coarse_bin_s: 1,
    coarse: [
      [0, 2],
      [3, 2],
    ],
    mean: 2,
    p5: 0.2,
    p95: 3.8,
    outages_s: [[1, 2]],
  });
  expect(svg.startsWith("<svg")).toBe(true);
  for (const words of ["walk", "CSV · 3 s", "time, s", "rate, Mbit/s", "mean 2.00", "p5 0.200", "p95 3.80"]) {
    expect(svg).toContain(`>${words}<`);
  }
  expect(svg).toContain("means of 0.1 s");
  expect(svg.match(/fill="#cb181d"/g)).toHaveLength(2); // the outage, and its mark along the top
});
