import { expect, it } from "vitest";
import { isolated } from "./isolated.ts";

it("keeps a name from right to left for itself, and leaves any other as it is", () => {
  expect(["Holiday", "سفر", "חופשה 2026"].map(isolated)).toEqual([
    "Holiday",
    "\u2068سفر\u2069",
    "\u2068חופשה 2026\u2069",
  ]);
});
