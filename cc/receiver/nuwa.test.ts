import { describe, expect, it } from "vitest";
import { Nuwa } from "./nuwa.ts";

describe("Nuwa", () => {
  it.each([
    [{ targetDelaySeconds: 0, rhoSeconds: 0.02, k: 7, catchesUp: false }, "targetDelaySeconds"],
    [{ targetDelaySeconds: 0.04, rhoSeconds: Number.NaN, k: 7, catchesUp: false }, "rhoSeconds"],
    [{ targetDelaySeconds: 0.04, rhoSeconds: 0.02, k: 9.5, catchesUp: false }, "k must"],
  ])("refuses %j by name", (parameters, name) => {
    expect(() => new Nuwa(parameters)).toThrow(name);
  });
});
