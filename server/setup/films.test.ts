import { expect, test } from "vitest";
import { barLine } from "./films.ts";

const OPTIONS = {
  barsize: 10,
  barCompleteString: "##########",
  barIncompleteString: "----------",
  barGlue: "",
  autopaddingChar: "0",
};
const PARAMS = { startTime: 0, stopTime: null, total: 100, value: 0, maxWidth: 80 };

test.each([
  [0, "0", "encoding [----------] 0 %"],
  [0.4, 83, "encoding [####------] 40 %, 01m25s left"],
  [0.4, "INF", "encoding [####------] 40 %"],
  [1, 0, "encoding [##########] 100 %"],
])("at %s with %s s to go it says what is known", (progress, eta, line) => {
  expect(barLine(OPTIONS, { ...PARAMS, progress, eta: eta as number }, { step: "encoding" })).toBe(line);
});
