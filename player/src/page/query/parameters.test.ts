import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { PARAMETERS, type Parameter, withValues } from "./parameters.ts";

const README = new URL("../../README.md", import.meta.url);

it("are all in the README, as they are", () => {
  const rows = Object.entries<Parameter>(PARAMETERS).map(
    ([name, { otherwise, meaning, sideBySide, ...parameter }]) =>
      `| \`${name}\` | ${valuesText(parameter)} | ${otherwise} | ${meaning} | ${sideBySide} |`,
  );
  const [, table = ""] = readFileSync(README, "utf8").split("| --- | --- | --- | --- | --- |\n");
  expect(table.split("\n\n")[0]?.split("\n")).toEqual(rows);
});

function valuesText({ values }: Pick<Parameter, "values">): string {
  if (typeof values === "string") return values;
  const [first, last] = values;
  const isRange = typeof first === "number" && typeof last === "number";
  return isRange
    ? `${first} to ${last.toLocaleString("en-GB")}`
    : values.map((value) => `\`${value}\``).join(", ");
}

it("go into a query beside what is there, and out of it", () => {
  const query = new URLSearchParams("scheme=nuwa&k=3");
  expect(withValues(query, { k: null, muted: 1, link: "steps" }).toString()).toBe(
    "scheme=nuwa&muted=1&link=steps",
  );
});
