import { expect, test } from "vitest";
import { EvictionLog } from "./eviction-log.ts";

test("a flood is one line a minute", () => {
  const lines: string[] = [];
  let nowMs = 5;
  const evictions = new EvictionLog({ warn: (line) => lines.push(line) }, () => nowMs);
  for (let count = 0; count < 1000; count += 1) evictions.note("192.0.2.7");
  nowMs += 60_000;
  evictions.note("192.0.2.8");
  expect(lines).toEqual([
    "no place was left for connections: 1 had to leave, the last of 192.0.2.7",
    "no place was left for connections: 1000 had to leave, the last of 192.0.2.8",
  ]);
});
