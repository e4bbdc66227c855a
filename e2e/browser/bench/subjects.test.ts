import { expect, test } from "vitest";
import { requireSubjects } from "./subjects.ts";

const KNOWN = ["udp-gone", "wifi-blink"];

test.each([
  ["faults", ["udp-gone", "wifi-blnk"], KNOWN, 'faults has no subject "wifi-blnk": did you mean wifi-blink?'],
  ["faults", ["meteor"], KNOWN, 'faults has no subject "meteor": choose one of udp-gone, wifi-blink'],
  ["startup", ["meteor"], [], 'startup has no subject "meteor": it is measured whole'],
])("%s of %j is refused", (benchmark, subjects, known, sentence) => {
  expect(() => requireSubjects(benchmark, subjects, known)).toThrow(sentence);
});

test("what is known, or nothing, is fine", () => {
  expect(() => requireSubjects("faults", ["wifi-blink"], KNOWN)).not.toThrow();
  expect(() => requireSubjects("startup", [], [])).not.toThrow();
});
