import { expect, test } from "vitest";
import { ProgressLine } from "./progress.mjs";

/** What a task at 4 %, 4.5 %, 12 % and 100 % writes, without its duration. */
function written(isTTY: boolean): string {
  let text = "";
  const write = (part: string | Uint8Array) => {
    text += String(part);
    return true;
  };
  const line = new ProgressLine({ isTTY, write }, "packing");
  for (const ratio of [0.04, 0.045, 0.12, 1]) line.show(ratio);
  line.end();
  return text.replace(/\d+\.\d s\n$/, "T");
}

test("a log gets one line, with tenths", () => {
  expect(written(false)).toBe("packing ... 10 % ... 100 % ... T");
});

test("a terminal gets a bar that is drawn over", () => {
  const bar = (filled: number) => `[${"#".repeat(filled)}${" ".repeat(20 - filled)}]`;
  expect(written(true)).toBe(
    `packing ... \rpacking ${bar(1)} 4 % ... \rpacking ${bar(2)} 12 % ... \rpacking ${bar(20)} 100 % ... T`,
  );
});

test("after some seconds the rest is told, at the pace so far", () => {
  let text = "";
  let nowMs = 0;
  const write = (part: string | Uint8Array) => {
    text += String(part);
    return true;
  };
  const line = new ProgressLine({ isTTY: false, write }, "packing", () => nowMs);
  for (const [atMs, ratio] of [
    [2_000, 0.1],
    [40_000, 0.2],
    [50_000, 0.5],
    [95_000, 0.99],
    [96_000, 1],
  ] as const) {
    nowMs = atMs;
    line.show(ratio);
  }
  line.end();
  expect(text).toBe(
    "packing ... 10 % ... 20 %, about 3 min left ... 50 %, about 50 s left ... " +
      "90 %, about 10 s left ... 100 % ... 96.0 s\n",
  );
});
