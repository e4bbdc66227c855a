import { afterEach, beforeEach, expect, test } from "vitest";
import { RunError } from "./result.ts";
import { Simulator } from "./simulators.ts";

/** Echoes what it is asked; dies of "die" and never answers "sleep". */
const SCRIPT = `
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  if (line === "die") { process.stderr.write("out of memory"); process.exit(9); }
  if (line !== "sleep") console.log("to " + line);
});`;

let simulator: Simulator;
const { signal } = new AbortController();

beforeEach(() => {
  simulator = new Simulator([process.execPath, "-e", SCRIPT]);
});

afterEach(async () => {
  await simulator[Symbol.asyncDispose]();
});

test("one process answers question after question", async () => {
  expect(await simulator.ask("one", signal)).toBe("to one");
  expect(await simulator.ask("two", signal)).toBe("to two");
});

test("a run that kills the process fails with its last words, and the next one has a new process", async () => {
  const failed = simulator.ask("die", signal);
  await expect(failed).rejects.toThrow(RunError);
  await expect(failed).rejects.toThrow("simulation ended early (exit status 9). out of memory");
  expect(await simulator.ask("three", signal)).toBe("to three");
});

test("an abort stops what is running", async () => {
  const controller = new AbortController();
  const asked = simulator.ask("sleep", controller.signal);
  setTimeout(() => {
    controller.abort(new Error("stopped by SIGINT"));
  }, 20);
  await expect(asked).rejects.toThrow("stopped by SIGINT");
});
