import { describe, expect, it, test } from "vitest";
import { chooseAbandon } from "./nuwa-abandon.ts";
import type { DownloadContext } from "./rule.ts";

/** Rung 4 of 5 Mbit/s: 1.25 MB in 2 s, 0.25 MB of it here, 3 s of buffer, the link at 1 Mbit/s. */
function input(changes: Partial<DownloadContext> = {}): DownloadContext {
  return {
    ladderBitsPerSecond: [0.3e6, 0.7e6, 1.5e6, 2.8e6, 5e6, 8e6],
    index: 4,
    segmentSeconds: 2,
    elapsedSeconds: 1,
    loadedBytes: 250_000,
    totalBytes: 1_250_000,
    bufferSeconds: 3,
    outlook: { nowBitsPerSecond: 1e6, sustainedBitsPerSecond: 1e6, variation: 0 },
    ...changes,
  };
}

describe("giving up a download", () => {
  it("takes the highest rung that still comes in time", () => {
    // 8 Mbit remain: 8 s at 1 Mbit/s, 3 s of buffer. In 2.5 s come 2.5 Mbit: rung 1 (1.4 Mbit), not rung 2 (3 Mbit).
    expect(chooseAbandon(input())).toEqual({
      index: 1,
      reason: {
        why: "download would stall",
        bufferSeconds: 3,
        remainingSeconds: 8,
        replacementSeconds: 1.4,
        bandwidthBitsPerSecond: 1e6,
      },
    });
  });

  it("takes the lowest when nothing comes in time", () => {
    expect(chooseAbandon(input({ bufferSeconds: 0.6 }))?.index).toBe(0);
  });

  test.each([
    ["the buffer lasts", { bufferSeconds: 9 }],
    ["it has only begun", { elapsedSeconds: 0.4 }],
    ["nothing was measured", { outlook: null }],
    ["it is the lowest rung", { index: 0 }],
    ["it is complete", { loadedBytes: 1_250_000 }],
    // 0.4 Mbit remain; the lowest rung costs 0.6 Mbit.
    ["what remains is cheaper than anything else", { loadedBytes: 1_200_000, bufferSeconds: 0.1 }],
  ])("is not done when %s", (_name, changes) => {
    expect(chooseAbandon(input(changes))).toBeNull();
  });
});
