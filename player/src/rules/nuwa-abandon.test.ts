import { describe, expect, it, test } from "vitest";
import { madeDownload, steady } from "./made-context.ts";
import { nuwa } from "./nuwa.ts";
import type { DownloadContext } from "./rule.ts";

const abandon = (changes: Partial<DownloadContext> = {}) => nuwa.abandon?.(madeDownload(changes)) ?? null;

describe("giving up a download", () => {
  it("takes a rung that comes in time", () => {
    // 8 Mbit remain: 8 s at 1 Mbit/s, 3 s of buffer. Rung 1 takes 1.4 s, rung 2 already 3 s.
    const decision = abandon();
    expect(decision?.index).toBe(1);
    expect(decision?.reason).toMatchObject({ why: "download would stall", bufferSeconds: 3 });
    expect(decision?.reason.remainingSeconds).toBeCloseTo(8, 10);
    expect(decision?.reason.replacementSeconds).toBeCloseTo(0.05 + 1.4, 10);
  });

  it("takes the lowest when nothing comes in time", () => {
    expect(abandon({ bufferSeconds: 0.6 })?.index).toBe(0);
  });

  it("happens in an outage, when nothing tells of progress", () => {
    // At 8 Mbit/s the rest took 1 s of 4; after 3 s of silence nobody counts on that.
    const fast = { outlook: steady(8), bufferSeconds: 4 };
    expect(abandon(fast)).toBeNull();
    expect(abandon({ ...fast, elapsedSeconds: 4, silentSeconds: 3 })?.index).toBeLessThan(4);
  });

  it("happens before the first byte, by what such a segment weighs", () => {
    const waiting = {
      loadedBytes: 0,
      totalBytes: null,
      silentSeconds: 3,
      elapsedSeconds: 3,
      bufferSeconds: 2,
    };
    expect(abandon({ ...waiting, outlook: steady(5) })?.index).toBe(0);
  });

  it("goes by the bitrates where nothing tells what segments weigh", () => {
    // As above: 8 Mbit remain, and rung 1 takes 1.4 s.
    expect(abandon({ segmentBits: [] })).toEqual(abandon());
    expect(abandon({ segmentBits: [[], [1.4e6]], loadedBytes: 0, totalBytes: null })?.index).toBe(1);
  });

  test.each([
    ["the buffer lasts", { bufferSeconds: 12 }],
    ["it has only begun", { elapsedSeconds: 0.4 }],
    ["nothing was measured", { outlook: null }],
    ["it is the lowest rung", { index: 0 }],
    ["it is complete", { loadedBytes: 1_250_000 }],
    // 0.4 Mbit remain; the lowest rung costs 0.6 Mbit.
    ["what remains is cheaper than anything else", { loadedBytes: 1_200_000, bufferSeconds: 0.1 }],
    ["the rung before was lower, but no stall is near", { previousIndex: 1, bufferSeconds: 12 }],
  ])("is not done when %s", (_name, changes) => {
    expect(abandon(changes)).toBeNull();
  });
});
