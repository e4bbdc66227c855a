import { expect, test } from "vitest";
import type { Presentation } from "../../../media/package-film.ts";
import type { Fault } from "./fault.ts";
import { FaultError, runFault } from "./run-fault.ts";

test("a run that fails before anything plays is the fault's failure, and says which and why", async () => {
  const fault: Fault = {
    name: "no-film",
    title: "no film",
    watchSeconds: 1,
    expected: { stalledSeconds: 0, endPath: "http", consoleProblems: [] },
    prepareFilm: async () => undefined,
  };
  const presentation = { directory: "/nowhere/film" } as Presentation;
  const failure = await runFault(fault, {
    program: { kind: "chromium", path: "" },
    presentation,
    seed: 1,
  }).catch((error) => error);
  expect(failure).toBeInstanceOf(FaultError);
  expect(failure.message).toMatch(/^no-film: ENOENT.*\/nowhere\/film/);
});
