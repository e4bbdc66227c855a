import { expect, test } from "vitest";
import { type ScatterContents, scatterCaption } from "./scatter-caption.ts";

const PLAIN: ScatterContents = {
  ...{ hasRuns: false, hasEllipses: false, hasStar: false, hasCapacity: false, hasNestedMarks: false },
  beginsAt: 0,
};

test("a caption explains nothing that is not drawn", () => {
  expect(scatterCaption([PLAIN])).toBe(
    "Throughput against the 95th percentile of the queueing delay, which falls to the right: better is up and right. " +
      "Each run's throughput is scaled to the link's mean capacity.",
  );
});

test("what one of the drawings has is explained, and that the axis is broken", () => {
  const caption = scatterCaption([
    { ...PLAIN, hasRuns: true, hasNestedMarks: true, beginsAt: 17.34 },
    { ...PLAIN, hasRuns: true, hasEllipses: true },
  ]);
  expect(caption).toContain(
    "Large marks are means, small ones single runs, marks in one place lie in one another, ellipses hold the mean",
  );
  expect(caption).toContain("it begins at 17.3, not at 0.");
  expect(caption).not.toContain("star");
});
