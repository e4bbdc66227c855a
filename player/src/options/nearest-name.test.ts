import { expect, it } from "vitest";
import { nearestName } from "./nearest-name.ts";

const SCHEMES = ["nuwa", "nuwa-rl", "cubic", "newreno"];
const LINKS = ["none", "lte-like", "ATT-LTE-driving", "Verizon-LTE-driving", "Verizon-LTE-short"];

it.each([
  ["cubik", SCHEMES, "cubic"],
  ["CUBIC", SCHEMES, "cubic"],
  ["att-lte-drivin", LINKS, "ATT-LTE-driving"],
])("%s is mistyped, capitals aside", (name, known, nearest) => {
  expect(nearestName(name, known)).toBe(nearest);
});

it.each([
  ["Verizon-LTE-short.down", LINKS, "Verizon-LTE-short"],
  ["Verizon-LTE", LINKS, "Verizon-LTE-short"],
  ["lte", LINKS, "lte-like"],
  ["nuwa-of-mine", SCHEMES, "nuwa"],
])("%s is more or less than the name", (name, known, nearest) => {
  expect(nearestName(name, known)).toBe(nearest);
});

it.each([
  ["bbr3x", SCHEMES],
  ["nope", ["cubic", "copa"]], // half of its letters are others
  ["nu", ["nuwa-rl"]],
  ["", SCHEMES],
  ["cubic", []],
])("%j is like none of %j", (name, known) => {
  expect(nearestName(name, known)).toBeNull();
});
