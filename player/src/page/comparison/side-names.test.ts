import { expect, it } from "vitest";
import { changeLabel } from "../film/change-label.ts";
import { type Choices, readChoices } from "../query/choices.ts";
import { SAMPLE_CONFIG } from "../testing/sample-config.ts";
import { sideNames } from "./side-names.ts";

const choices = (query: string): Choices => readChoices(new URLSearchParams(query), SAMPLE_CONFIG);

it.each([
  ["", "scheme=cubic&rule=dynamic", ["Nuwa", "CUBIC"]],
  ["", "rule=bola", ["Nuwa, NuwaRule", "Nuwa, BOLA"]],
  ["", "preset=live", ["Nuwa, On demand", "Nuwa, Live"]],
  ["", "estimator=dashjs", ["Nuwa, receiver’s estimate", "Nuwa, dash.js’s estimate"]],
  ["transport=http", "scheme=cubic", ["HTTP", "CUBIC"]],
  ["transport=http", "transport=http&scheme=cubic&rule=bola", ["NuwaRule", "BOLA"]],
  ["transport=http", "transport=http&preset=live", ["left", "right"]],
  ["", "", ["Nuwa, left", "Nuwa, right"]],
])("names films with the choices %s and %s by what tells them apart", (left, right, names) => {
  expect(sideNames(choices(left), choices(right), SAMPLE_CONFIG)).toEqual(names);
});

it("names a change by the title of what holds from there", () => {
  expect(changeLabel({ scheme: "cubic" }, SAMPLE_CONFIG)).toBe("CUBIC");
  expect(changeLabel({ preset: "live", k: null }, SAMPLE_CONFIG)).toBe("Live");
  expect(changeLabel({ estimator: "dashjs" }, SAMPLE_CONFIG)).toBe("dash.js’s estimate");
  expect(changeLabel({ k: 3 }, SAMPLE_CONFIG)).toBeNull();
});
