// @vitest-environment happy-dom
import { MediaPlayer, type MediaPlayerSettingClass } from "dashjs";
import { describe, expect, it } from "vitest";
import { RULES, type RuleChoice } from "../rules/registry.ts";
import { settingsUnder } from "./change-settings.ts";
import {
  clockSettings,
  pinnedSettings,
  ruleSettings,
  SESSION_SETTINGS,
  topQualityBufferSeconds,
} from "./player-settings.ts";

const rule = (name: string): RuleChoice => {
  const found = RULES.find((entry) => entry.name === name);
  if (found === undefined) {
    throw new Error(`no rule ${name}`);
  }
  return found;
};

function activeRules(name: string): string[] {
  const rules = ruleSettings(rule(name)).streaming?.abr?.rules ?? {};
  return Object.entries(rules as Record<string, { active?: boolean }>)
    .filter(([, { active }]) => active)
    .map(([ruleName]) => ruleName);
}

describe("a rule's settings", () => {
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

  it("leave everything else alone where the rule is dash.js's own", () => {
    const { streaming } = ruleSettings(rule("bola"));
    expect(Object.keys(streaming ?? {})).toEqual(["abr"]);
    expect(Object.keys(streaming?.abr ?? {})).toEqual(["rules"]);
  });
});

describe("the page's settings", () => {
  it("leave no run to depend on another or on the Internet", () => {
    const { streaming } = pinnedSettings();
    expect(streaming?.lastBitrateCachingInfo?.enabled).toBe(false);
  });
});

it.each([
  [null, 18, 30, 60],
  [5, 5, 5, 5],
])("the page's buffer target of %s s", (chosen, usual, atTopQuality, ofLongFilms) => {
  expect(pinnedSettings(chosen).streaming?.buffer).toMatchObject({
    bufferTimeDefault: usual,
    bufferTimeAtTopQuality: atTopQuality,
    bufferTimeAtTopQualityLongForm: ofLongFilms,
  });
});

describe("what is set back", () => {
  it("is what stood there before, and nothing else", () => {
    const present = {
      streaming: {
        abandonLoadTimeout: 10_000,
        abr: { throughput: { useResourceTimingApi: true, useDeadTimeLatency: true } },
      },
    } as MediaPlayerSettingClass;
    expect(settingsUnder(present, SESSION_SETTINGS)).toEqual({
      streaming: { abr: { throughput: { useResourceTimingApi: true } } },
    });
  });
});

it("a live film's clock is the server's, in place of dash.js's on the Internet", () => {
  const player = MediaPlayer().create();
  player.updateSettings(pinnedSettings());
  player.updateSettings(clockSettings("https://nuwa.example/api/time"));
  const { utcSynchronization } = player.getSettings().streaming ?? {};
  expect(utcSynchronization?.enabled).toBe(true);
  expect(JSON.stringify(utcSynchronization)).not.toContain("akamai");
  expect(utcSynchronization?.defaultTimingSource?.value).toBe("https://nuwa.example/api/time");
});

it("what is buffered in the top quality is more of a film of ten minutes", () => {
  expect([599.9, 600].map(topQualityBufferSeconds)).toEqual([30, 60]);
});
