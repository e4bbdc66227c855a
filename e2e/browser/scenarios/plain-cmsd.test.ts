import { expect, test } from "vitest";
import { presentationOf } from "../cell/presentation.ts";
import { findTraces } from "../link/trace.ts";
import { playPlainly } from "../plain-player/play.ts";
import { requireBrowser } from "../requirements.ts";
import { TEST_FILM } from "./scenario.ts";

test("dash.js and nothing of ours plays over HTTP/3, and goes by the estimate of the answers", async (context) => {
  const program = await requireBrowser(context);
  const { directory } = await presentationOf(TEST_FILM, () => undefined);
  const { told, protocols, estimates } = await playPlainly({
    program,
    film: directory,
    link: { traces: await findTraces("8mbit", null), delayMs: 20, queuePackets: 300, lossRatio: 0 },
    scheme: "cubic",
    samples: "cmsd",
    watchSeconds: 3,
  });
  expect(protocols).toEqual(["h3"]);
  const known = told.map(({ etp }) => etp).filter((kilobits) => kilobits !== null);
  expect(told.every(({ headAtMs, takenAtMs }) => headAtMs <= takenAtMs)).toBe(true);
  const last = estimates.at(-1)?.value ?? Number.NaN;
  expect(known.length).toBeGreaterThan(0);
  // its mean is of what it was told, in bits and not in kilobits
  expect(last).toBeGreaterThan(500 * Math.min(...known));
  expect(last).toBeLessThan(2000 * Math.max(...known));
});
