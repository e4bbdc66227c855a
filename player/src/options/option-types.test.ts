import { expect, it } from "vitest";
import { requireType, requireTypes } from "./option-types.ts";

it.each([
  [null, "preset must be of type string or object, not null."],
  [undefined, "preset must be of type string or object, not undefined."],
  [5, "preset must be of type string or object, not 5."],
  [["live"], "preset must be of type string or object, not [object Array]."],
  [Number.NaN, "preset must be of type string or object, not NaN."],
])("%j is refused, and told", (value, sentence) => {
  expect(() => requireType("preset", value, "string", "object")).toThrow(new TypeError(sentence));
});

it("lets be what is of one of the types, and what is not said", () => {
  requireType("preset", "live", "string", "object");
  requireTypes({ fallback: undefined }, { fallback: ["boolean"], scheme: ["string"] });
  const wrong = { fallback: "false" };
  const sentence = 'fallback must be of type boolean, not "false".';
  expect(() => requireTypes(wrong, { fallback: ["boolean"] })).toThrow(new TypeError(sentence));
});
