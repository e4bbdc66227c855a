import { expect, it } from "vitest";
import { chosenSessions, unknownSessionParameters } from "./chosen-sessions.ts";

const session = (sid: string, meanKbps: number | null = 5000) => ({ sid, meanKbps });
const LIST = [session("c"), session("b"), session("a")];
const chosen = (query: string) => chosenSessions(new URLSearchParams(query), LIST);

it("shows the newest at the right and the one before at the left", () => {
  expect(chosen("")).toEqual({ sids: { left: "b", right: "c" }, unknown: null });
});

it("takes what the query names, and fills the other side with another", () => {
  expect(chosen("left=c")).toEqual({ sids: { left: "c", right: "b" }, unknown: null });
  expect(chosen("left=a&right=a")).toEqual({ sids: { left: "a", right: "a" }, unknown: null });
});

it("takes those that show something before those that do not, unless they are named", () => {
  const list = [session("d", null), ...LIST];
  const sids = (query: string) => chosenSessions(new URLSearchParams(query), list).sids;
  expect(sids("")).toEqual({ left: "b", right: "c" });
  expect(sids("right=d")).toEqual({ left: "c", right: "d" });
  expect(chosenSessions(new URLSearchParams(), [session("d", null), session("c")]).sids).toEqual({
    left: "d",
    right: "c",
  });
});

it("names a session that there is not", () => {
  expect(chosen("right=x")).toEqual({ sids: { left: "b", right: "c" }, unknown: "x" });
});

it("leaves a side empty where there are too few", () => {
  expect(chosenSessions(new URLSearchParams(), [session("a")]).sids).toEqual({ left: null, right: "a" });
});

it("finds parameters that mean nothing, and knows those that links keep", () => {
  const unknown = (query: string) => unknownSessionParameters(new URLSearchParams(query))?.names ?? [];
  expect(unknown("left=a&right=b&film=c&telemetry=0")).toEqual([]);
  expect(unknown("left=a&rigth=b")).toEqual(["rigth"]);
});
