import { describe, expect, it } from "vitest";
import { RULES, type RuleChoice } from "../rules/registry.ts";
import { playerSettings } from "./player-settings.ts";

const rule = (name: string): RuleChoice => {
  const found = RULES.find((entry) => entry.name === name);
  if (found === undefined) {
    throw new Error(`no rule ${name}`);
  }
  return found;
};

function activeRules(name: string): string[] {
  const rules = playerSettings(rule(name), "webtransport").streaming?.abr?.rules ?? {};
  return Object.entries(rules)
    .filter(([, { active }]) => active)
    .map(([ruleName]) => ruleName);
}

describe("player settings", () => {
  it("switch on the rules of the choice and no others", () => {
    expect(activeRules("nuwa")).toEqual([]);
    expect(activeRules("l2a")).toEqual(["l2ARule"]);
    expect(activeRules("dynamic")).toEqual([
      "throughputRule",
      "bolaRule",
      "insufficientBufferRule",
      "switchHistoryRule",
      "abandonRequestsRule",
    ]);
  });

  it("are otherwise the same for every rule of dash.js", () => {
    const withoutRules = ({ name }: { name: string }): unknown => {
      const { streaming } = playerSettings(rule(name), "webtransport");
      return { ...streaming, abr: { ...streaming?.abr, rules: null } };
    };
    const [first, ...others] = RULES.filter(({ dashjsRules }) => dashjsRules.length > 0).map(withoutRules);
    for (const other of others) {
      expect(other).toEqual(first);
    }
  });

  it("leave no run to depend on another or on the Internet", () => {
    const { streaming } = playerSettings(rule("nuwa"), "webtransport");
    expect(streaming?.lastBitrateCachingInfo?.enabled).toBe(false);
    expect(streaming?.utcSynchronization?.enabled).toBe(false);
  });

  it("take resource timing only where the browser itself fetched", () => {
    const usesTiming = (transport: "webtransport" | "http") =>
      playerSettings(rule("nuwa"), transport).streaming?.abr?.throughput?.useResourceTimingApi;
    expect(usesTiming("webtransport")).toBe(false);
    expect(usesTiming("http")).toBe(true);
  });
});
