import { readFileSync } from "node:fs";
import { CMCD_KEYS, CmcdEventType, CmcdPlayerState } from "@svta/cml-cmcd";
import { expect, test } from "vitest";
import { EVENT_WORDS, type EventWord } from "./vocabulary.ts";

const words: readonly EventWord[] = EVENT_WORDS;

test("a word is CMCD's, or has the prefix that CMCD asks of others", () => {
  const own = words.map(({ key }) => key).filter((key) => !(CMCD_KEYS as readonly string[]).includes(key));
  expect(own.filter((key) => !key.startsWith("nuwa-"))).toEqual([]);
});

test("events and states are CMCD's", () => {
  const valuesOf = (name: string) => words.find(({ key }) => key === name)?.values ?? [];
  const lacking = ["pr", "sk"]; // CTA-5004-B has them; the library's table of types does not have all
  const known: readonly string[] = Object.values(CmcdEventType);
  expect(valuesOf("e").filter((value) => !known.includes(value) && !lacking.includes(value))).toEqual([]);
  expect(valuesOf("sta").toSorted()).toEqual(Object.values(CmcdPlayerState).toSorted());
});

test("each word stands once, and the server's README has them all", () => {
  expect(new Set(words.map(({ key }) => key)).size).toBe(words.length);
  const readme = readFileSync(new URL("../../../server/telemetry/README.md", import.meta.url), "utf8");
  const rows = words.map(({ key, type, unit, meaning }) => `| \`${key}\` | ${unit ?? type} | ${meaning} |`);
  expect(rows.filter((row) => !readme.includes(row))).toEqual([]);
});
