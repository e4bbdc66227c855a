import { expect, test } from "vitest";
import { Problem } from "../../problem.mjs";
import { selectFiles, testFiles } from "./selection.ts";

const FILES = [
  "cc/core/pacer.test.ts",
  "cc/tests/test_pacer.py",
  "cc/tests/test_window.py",
  "e2e/browser/scenarios/fault-clock-step.test.ts",
  "player/src/session/window.test.ts",
];

test.each([
  [[], [0, 1, 2, 3, 4]],
  [["cc"], [0, 1, 2]],
  [["cc/"], [0, 1, 2]],
  [
    ["cc", "player"],
    [0, 1, 2, 4],
  ],
  [["window"], [2, 4]],
  [["cc", "window"], [2]],
  [
    ["clock", "pacer"],
    [0, 1, 3],
  ],
  [["e2e", "fault"], [3]],
  [["cc", "test-pacer"], [1]],
  [["cc/tests/test_window.py"], [2]],
])("%j asks for %j", (words, expected) => {
  expect(selectFiles(words, FILES)).toEqual(expected.map((index) => FILES[index]));
});

test.each([
  [["pcaer"], 'no test has "pcaer" in its path: did you mean pacer?'],
  [["playr"], 'no test has "playr" in its path: did you mean player?'],
  [["e2e", "fualt"], 'no test has "fualt" in its path: did you mean fault?'],
])("%j is refused with the nearest word", (words, sentence) => {
  const select = () => selectFiles(words, FILES);
  expect(select).toThrow(Problem);
  expect(select).toThrow(sentence);
});

test("every folder of this clone with tests has some", () => {
  const folders = new Set(testFiles().map((path) => path.split("/")[0]));
  expect([...folders]).toEqual(["cc", "e2e", "media", "models", "player", "server", "transport"]);
});
