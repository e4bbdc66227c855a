import { expect, it } from "vitest";
import { withoutDrawings } from "./ass-drawings.ts";

const cue = (text: string) => `00:01.600 --> 00:02.500\n${text}`;
const file = (...cues: readonly string[]) => `${["WEBVTT", ...cues].join("\n\n")}\n`;

it.each([
  [[cue("sign\nline 2")], [cue("sign\nline 2")]],
  [[cue("m 0 0 l 100 0 100 100 0 100"), cue("said")], [cue("said")]],
  [[cue("m -3.5 0 b 1 2 3 4 5 6 l 7 8 c\nsaid")], [cue("said")]],
  [[cue("m")], [cue("m")]],
  [[cue("m 0 0 miles")], [cue("m 0 0 miles")]],
  [[], []],
])("of %j, %j is said", (cues, said) => {
  expect(withoutDrawings(file(...cues))).toBe(file(...said));
});
