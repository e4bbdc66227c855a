import { expect, it } from "vitest";
import { answerLines, outcome } from "./film-upload.ts";

it("takes whole lines, and one that has no end where it is all", () => {
  expect(answerLines('{"step":"a","ratio":0.5}\n{"step":"b","rat')).toEqual([{ step: "a", ratio: 0.5 }]);
  expect(answerLines('{"error":{"reason":"no"}}')).toEqual([{ error: { reason: "no" } }]);
  expect(answerLines("")).toEqual([]);
});

it("ends with the film's name, or with a sentence", () => {
  expect(outcome({ film: { name: "a" } })).toEqual({ film: "a" });
  expect(outcome({ error: { reason: "the disk is full" } })).toEqual({ sentence: "The disk is full." });
  const reason = "ffmpeg cannot read notes.txt (no film)";
  expect(outcome({ error: { reason } })).toEqual({ sentence: `${reason}.` });
  expect(outcome({ step: "encoding", ratio: 0.5 })).toEqual({
    sentence: "The server ended before the film was packaged.",
  });
  expect(outcome(undefined)).toHaveProperty("sentence");
});
