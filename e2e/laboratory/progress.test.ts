import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { describeRunning, showProgress } from "./progress.ts";

function collect(isTTY: boolean) {
  const output = Object.assign(new PassThrough(), { isTTY });
  return { output, said: () => String(output.read() ?? "") };
}

test("a log has a line for each tenth, and what went wrong", () => {
  const { output, said } = collect(false);
  const progress = showProgress({ total: 40, done: 2, output });
  for (let finished = 2; finished < 9; finished += 1) progress.finish("a run");
  progress.say("failed: bbr");
  progress.stop();
  expect(said()).toBe("4 of 40 runs\n8 of 40 runs\nfailed: bbr\n");
});

test("of several runs under way the first is named, the others are counted", () => {
  expect(describeRunning([])).toBe("");
  expect(describeRunning(["nuwa over 24mbit"])).toBe("nuwa over 24mbit");
  expect(describeRunning(["nuwa over 24mbit", "cubic", "bbr"])).toBe("nuwa over 24mbit and 2 more");
});

test("a terminal has a bar", () => {
  const { output, said } = collect(true);
  const progress = showProgress({ total: 4, done: 1, output });
  progress.begin("nuwa over 24mbit");
  progress.begin("cubic over 24mbit");
  progress.finish("nuwa over 24mbit");
  progress.stop();
  expect(said()).toContain("] 2 of 4 runs");
});
