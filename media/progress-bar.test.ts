import { describe, expect, it } from "vitest";
import { progressBar } from "./progress-bar.ts";

function shown(isTTY: boolean, ratios: readonly number[]): string {
  let text = "";
  const show = progressBar({ isTTY, write: (part) => (text += part) });
  for (const ratio of ratios) show({ step: "packaging", ratio });
  return text;
}

describe("the progress bar", () => {
  it("redraws one line on a terminal, only when it changed, and ends it", () => {
    expect(shown(true, [0, 0.001, 0.5, 1])).toBe(
      `\rpackaging [${"░".repeat(30)}] 0 %\u001b[K` +
        `\rpackaging [${"█".repeat(15)}${"░".repeat(15)}] 50 %\u001b[K` +
        `\rpackaging [${"█".repeat(30)}] 100 %\u001b[K\n`,
    );
  });

  it("writes whole lines at each tenth into a file", () => {
    expect(shown(false, [0, 0.05, 0.11, 0.19, 0.55, 1])).toBe(
      "packaging: 0 %\npackaging: 10 %\npackaging: 50 %\npackaging: 100 %\n",
    );
  });
});
