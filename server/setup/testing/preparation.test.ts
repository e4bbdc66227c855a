import { expect, test } from "vitest";
import { type Chosen, preparationOf } from "./preparation.ts";
import { SUITES } from "./suites.ts";

const NOTHING_ELSE: Chosen["files"] = [];

function chosen(runners: readonly string[], files = NOTHING_ELSE): Chosen[] {
  return SUITES.filter(({ runner }) => runners.includes(runner)).map((suite) => ({ suite, files }));
}

function namesOf(...of: Parameters<typeof chosen>) {
  const { first, later } = preparationOf(chosen(...of));
  return { first: first.map((steps) => steps.map(({ name }) => name)), later: later.map(({ name }) => name) };
}

test("tests of browsers wait for the player, and for no packages of other tests", () => {
  expect(namesOf(["browser", "pytest", "vitest"])).toEqual({
    first: [["python-environment", "player-build"]],
    later: ["python-test-packages"],
  });
});

test("where no browser is used tests in Python have their packages before anything runs", () => {
  expect(namesOf(["pytest"])).toEqual({
    first: [["python-environment"], ["python-test-packages"]],
    later: [],
  });
});

test("the documentation's packages are installed for its own test alone, and hold nobody else up", () => {
  expect(namesOf(["vitest"], ["server/setup/docs.test.ts"]).later).toEqual(["site-npm-packages"]);
  expect(namesOf(["vitest"]).later).toEqual([]);
});
