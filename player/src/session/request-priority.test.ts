import { describe, expect, it } from "vitest";
import { PRIORITY_MAX } from "../session/wire/request-line.ts";
import { requestPriority } from "./request-priority.ts";

describe("request priority", () => {
  it("puts initialization first, then audio, then video, each by deadline", () => {
    const inOrder = [
      { mediaType: "video", startTime: Number.NaN },
      { mediaType: "audio", startTime: 0 },
      { mediaType: "audio", startTime: 20 },
      { mediaType: "video", startTime: 0 },
      { mediaType: "video", startTime: 2 },
    ].map(requestPriority);
    expect(inOrder).toEqual([...inOrder].sort((a, b) => a - b));
    expect(new Set(inOrder).size).toBe(5);
  });

  it("stays within the wire's field for any time", () => {
    for (const startTime of [-5, 0, 1e12]) {
      const priority = requestPriority({ mediaType: "video", startTime });
      expect(Number.isInteger(priority)).toBe(true);
      expect(priority).toBeGreaterThanOrEqual(0);
      expect(priority).toBeLessThanOrEqual(PRIORITY_MAX);
    }
  });
});
