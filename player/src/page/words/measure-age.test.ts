import { expect, it } from "vitest";
import type { NetworkEstimate } from "../../session/network-estimate.ts";
import { MeasureAge } from "./measure-age.ts";

const moment = (atMs: number, stampsReceived: number) => ({
  atMs,
  estimate: { stampsReceived } as NetworkEstimate,
});

it("holds an estimate for which nothing came for a second, and drops it after five", () => {
  const age = new MeasureAge();
  age.add(moment(1000, 7));
  age.add(moment(1900, 7));
  expect(age.isHeld(1900)).toBe(false);
  expect(age.isHeld(2000)).toBe(true);
  expect(age.current(moment(5900, 7)).estimate).not.toBeNull();
  expect(age.current(moment(6000, 7)).estimate).toBeNull();
});

it("takes it up again with the next stamp, and with another session's", () => {
  const age = new MeasureAge();
  age.add(moment(1000, 7));
  age.add(moment(9000, 3));
  expect(age.isHeld(9000)).toBe(false);
  expect(age.current(moment(9000, 3)).estimate).not.toBeNull();
});
