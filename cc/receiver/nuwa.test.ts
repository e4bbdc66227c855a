import { describe, expect, it } from "vitest";
import { Nuwa } from "./nuwa.ts";

describe("Nuwa", () => {
  it.each([
    [
      {
        targetDelaySeconds: 0,
        rhoSeconds: 0.02,
        k: 7,
        catchesUp: false,
        followsNeed: false,
        asInPaper: false,
      },
      "targetDelaySeconds",
    ],
    [
      {
        targetDelaySeconds: 0.04,
        rhoSeconds: Number.NaN,
        k: 7,
        catchesUp: false,
        followsNeed: false,
        asInPaper: false,
      },
      "rhoSeconds",
    ],
    [
      {
        targetDelaySeconds: 0.04,
        rhoSeconds: 0.02,
        k: 9.5,
        catchesUp: false,
        followsNeed: false,
        asInPaper: false,
      },
      "k must",
    ],
  ])("refuses %j by name", (parameters, name) => {
    expect(() => new Nuwa(parameters)).toThrow(name);
  });

  it.each([
    [
      { rateBytesPerSecond: Number.NaN, bufferSeconds: 1, fullBufferSeconds: 16 },
      "rateBytesPerSecond of a need",
      "NaN",
    ],
    [
      { rateBytesPerSecond: -1, bufferSeconds: 1, fullBufferSeconds: 16 },
      "rateBytesPerSecond of a need",
      "-1",
    ],
    [
      { rateBytesPerSecond: 1, bufferSeconds: -0.5, fullBufferSeconds: 16 },
      "bufferSeconds of a need",
      "-0.5",
    ],
    [
      { rateBytesPerSecond: null, bufferSeconds: 1, fullBufferSeconds: 0 },
      "fullBufferSeconds of a need",
      "0",
    ],
  ])("refuses the need %j by name and value", (need, name, value) => {
    const parameters = {
      targetDelaySeconds: 0.04,
      rhoSeconds: 0.02,
      k: 7,
      catchesUp: false,
      asInPaper: false,
    };
    for (const followsNeed of [true, false]) {
      const nuwa = new Nuwa({ ...parameters, followsNeed });
      expect(() => nuwa.onNeed(need, 0)).toThrow(new RegExp(`^${name} must be finite and .*, not ${value}$`));
    }
  });
});
