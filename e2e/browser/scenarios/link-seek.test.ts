import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runScenario, watch } from "./scenario.ts";

const TARGET_SECONDS = 22;
/** A segment that holds the target may begin so much earlier. */
const SEGMENT_SECONDS = 2.1;

/** That the server stops sending is not seen here: dash.js drops late segments by itself. The player's and transport's tests see it. */
test("on a slow link, the player takes nothing from before a jump once it loads from the target, and the film goes on", async (context) => {
  const { bundle, directory } = await runScenario(context, {
    name: "link-seek",
    link: { trace: "3mbit", delayMs: 20, queuePackets: 300, lossRatio: 0 },
    workload: watch(14, [{ afterSeconds: 2, toSeconds: TARGET_SECONDS }]),
  });
  expect(bundle.metrics.playback?.playedSeconds).toBeGreaterThanOrEqual(5);
  const segments = readSegments(join(directory, "segments.csv"));
  const isWanted = ({ startSeconds }: Segment) => startSeconds > TARGET_SECONDS - SEGMENT_SECONDS;
  const wanted = segments.filter(isWanted);
  const useless = segments.filter((segment) => !isWanted(segment));
  expect(useless.length, "segments from before the jump").toBeGreaterThan(0);
  const firstWantedAtMs = Math.min(...wanted.map((segment) => segment.requestedAtMs));
  expect(useless.filter(({ endedAtMs }) => endedAtMs > firstWantedAtMs)).toEqual([]);
});

interface Segment {
  startSeconds: number;
  requestedAtMs: number;
  endedAtMs: number;
}

function readSegments(file: string): Segment[] {
  const [header = "", ...lines] = readFileSync(file, "utf8").trim().split("\n");
  const columns = header.split(",");
  return lines.map((line) => {
    const cells = line.split(",");
    const number = (name: string) => Number(cells[columns.indexOf(name)]);
    return {
      startSeconds: number("startSeconds"),
      requestedAtMs: number("requestedAtMs"),
      endedAtMs: number("endedAtMs"),
    };
  });
}
