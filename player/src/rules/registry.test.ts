import { expect, it } from "vitest";
import { DASHJS_RULES, isRuleName, RULES } from "./registry.ts";

it("names every rule once and says what it is", () => {
  expect(new Set(RULES.map(({ name }) => name)).size).toBe(RULES.length);
  for (const { title, summary } of RULES) {
    expect(title).not.toBe("");
    expect(summary).toMatch(/\.$/);
  }
});

it("knows its own names only", () => {
  expect(RULES.every(({ name }) => isRuleName(name))).toBe(true);
  expect(isRuleName("pensieve")).toBe(false);
});

it("switches on rules that dash.js has", () => {
  const known: readonly string[] = DASHJS_RULES;
  expect(
    RULES.flatMap(({ dashjsRules }) => dashjsRules as readonly string[]).every((rule) =>
      known.includes(rule),
    ),
  ).toBe(true);
});
