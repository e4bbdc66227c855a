import { expect, test } from "vitest";
import { EncoderRun } from "./encoder-run.ts";

const at = (time: string) => ({ availabilityStartTime: new Date(`2026-11-29T${time}Z`) });

test("an encoder that was started again is told once", () => {
  const run = new EncoderRun();
  const told = [at("11:00:00"), at("11:00:00"), at("11:05:00"), at("11:05:00")].map((each) =>
    run.isAnother(each),
  );
  expect(told).toEqual([false, false, true, false]);
});

test("two encoders behind one address, whose manifests come by turns, are told of once each", () => {
  const run = new EncoderRun();
  const told = ["11:00:00", "11:05:00", "11:00:00", "11:05:00", "11:09:00"].map((time) =>
    run.isAnother(at(time)),
  );
  expect(told).toEqual([false, true, false, false, true]);
});

test("a start that is only worked out anew is none, nor is the end of a film", () => {
  const run = new EncoderRun();
  const told = [at("11:00:00"), at("11:00:00.7"), {}, at("11:00:01.4")].map((each) => run.isAnother(each));
  expect(told).toEqual([false, false, false, false]);
});
