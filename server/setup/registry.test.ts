import { expect, test } from "vitest";
import type { Registry } from "../registry.ts";
import { offering, unreadable } from "./registry.ts";

const registry = {
  schemes: ["nuwa", "cubic", "bbr"].map((name) => ({ name })),
  presets: [],
  defaults: { scheme: "nuwa", preset: "on-demand" },
} as unknown as Registry;
const offered = (names: readonly string[] | null): unknown => {
  const { schemes, schemesNotOffered = [], defaults } = offering(names, registry);
  return [schemes, schemesNotOffered].map((list) => list.map(({ name }) => name)).concat([[defaults.scheme]]);
};

test("a list that Python does not give is told with how it ended, where it did", () => {
  const told = (status: number | undefined) =>
    unreadable("schemes", ["cc"], { python: "python3", status, stdout: "", problem: "why" });
  expect(told(1).message).toBe("the list of schemes cannot be read: python3 -m cc ended with 1");
  expect(told(undefined)).toMatchObject({
    message: "the list of schemes cannot be read: python3 -m cc gave no answer",
    detail: "why",
  });
});

test("all schemes are offered, or those that are named, in the registry's order", () => {
  expect(offered(null)).toEqual([["nuwa", "cubic", "bbr"], [], ["nuwa"]]);
  expect(offered(["bbr", "nuwa"])).toEqual([["nuwa", "bbr"], ["cubic"], ["nuwa"]]);
});

test("where its usual scheme is not offered the page begins with the first that is named", () => {
  expect(offered(["bbr", "cubic"])).toEqual([["cubic", "bbr"], ["nuwa"], ["bbr"]]);
});
