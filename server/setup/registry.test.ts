import { expect, test } from "vitest";
import type { Registry } from "../registry.ts";
import { offering } from "./registry.ts";

const registry = {
  schemes: ["nuwa", "cubic", "bbr"].map((name) => ({ name })),
  presets: [],
  defaults: { scheme: "nuwa", preset: "on-demand" },
} as unknown as Registry;
const offered = (names: readonly string[] | null): unknown => {
  const { schemes, schemesNotOffered = [], defaults } = offering(names, registry);
  return [schemes, schemesNotOffered].map((list) => list.map(({ name }) => name)).concat([[defaults.scheme]]);
};

test("all schemes are offered, or those that are named, in the registry's order", () => {
  expect(offered(null)).toEqual([["nuwa", "cubic", "bbr"], [], ["nuwa"]]);
  expect(offered(["bbr", "nuwa"])).toEqual([["nuwa", "bbr"], ["cubic"], ["nuwa"]]);
});

test("where its usual scheme is not offered the page begins with the first that is named", () => {
  expect(offered(["bbr", "cubic"])).toEqual([["cubic", "bbr"], ["nuwa"], ["bbr"]]);
});
