import { expect, it } from "vitest";
import { chosenSessions, unknownSessionParameters } from "./chosen-sessions.ts";

const LIST = [{ sid: "c" }, { sid: "b" }, { sid: "a" }];
const chosen = (query: string) => chosenSessions(new URLSearchParams(query), LIST);

it("shows the newest at the right and the one before at the left", () => {
  expect(chosen("")).toEqual({ sids: { left: "b", right: "c" }, unknown: null });
});

it("takes what the query names, and fills the other side with another", () => {
  expect(chosen("left=c")).toEqual({ sids: { left: "c", right: "b" }, unknown: null });
  expect(chosen("left=a&right=a")).toEqual({ sids: { left: "a", right: "a" }, unknown: null });
});

it("names a session that there is not", () => {
  expect(chosen("right=x")).toEqual({ sids: { left: "b", right: "c" }, unknown: "x" });
});

it("leaves a side empty where there are too few", () => {
  expect(chosenSessions(new URLSearchParams(), [{ sid: "a" }]).sids).toEqual({ left: null, right: "a" });
});

it("finds parameters that mean nothing, and knows those that links keep", () => {
  const unknown = (query: string) => unknownSessionParameters(new URLSearchParams(query))?.names ?? [];
  expect(unknown("left=a&right=b&film=c&telemetry=0")).toEqual([]);
  expect(unknown("left=a&rigth=b")).toEqual(["rigth"]);
});
