import { expect, it } from "vitest";
import { correctQuery, insteadText, parametersSentence, unknownLinkSentence } from "./corrected-query.ts";
import { BadChoice } from "./query-values.ts";

const SCHEMES = ["nuwa", "nuwa-rl", "cubic", "newreno"];

function read(query: URLSearchParams): string {
  const scheme = query.get("scheme") ?? "nuwa";
  if (!SCHEMES.includes(scheme)) {
    throw new BadChoice("There is no such scheme.", "scheme", scheme, SCHEMES);
  }
  const k = query.get("k") ?? "7";
  if (Number.isNaN(Number(k))) {
    throw new BadChoice("k must be a number from 1 to 9, not x.", "k", k);
  }
  return `${scheme} ${k}`;
}

it("takes the nearest name, and the default of a number, and says so of each", () => {
  const corrected = correctQuery(new URLSearchParams("scheme=cubik&k=x&muted=1"), read);
  expect(corrected.result).toBe("cubic 7");
  expect(corrected.query.toString()).toBe("scheme=cubic&muted=1");
  expect(corrected.mistakes.map(({ sentence }) => sentence)).toEqual([
    "There is no scheme called cubik; the nearest is cubic.",
    "k must be a number from 1 to 9, not x.",
  ]);
  expect(insteadText(corrected.mistakes)).toBe("Play with scheme cubic and the default k");
});

it("names all that there is where nothing is alike", () => {
  expect(correctQuery(new URLSearchParams("scheme=zzzz"), read)).toMatchObject({
    result: "nuwa 7",
    mistakes: [{ sentence: "There is no such scheme.", instead: null }],
  });
});

it("passes on what is no mistake of the query's", () => {
  const broken = (): never => {
    throw new TypeError("no");
  };
  expect(() => correctQuery(new URLSearchParams(), broken)).toThrow(TypeError);
});

it("says which links there are", () => {
  expect(unknownLinkSentence("lte-lik", ["none", "lte-like"])).toBe(
    "There is no emulated link called lte-lik; the nearest is lte-like. The link stays as it is.",
  );
  expect(unknownLinkSentence("moon", ["none", "lte-like"])).toMatch("choose one of none, lte-like");
  expect(unknownLinkSentence("moon", [])).toMatch("emulates no link");
});

it("says of names that mean nothing which were meant, and all where one is like none", () => {
  const known = ["scheme", "preset", "rule"];
  expect(parametersSentence({ names: ["sheme", "Rule"], known })).toBe(
    "The page knows no sheme (did you mean scheme?), Rule (did you mean rule?).",
  );
  expect(parametersSentence({ names: ["sheme", "colour"], known })).toBe(
    "The page knows no sheme (did you mean scheme?), colour; its query may have scheme, preset, rule.",
  );
});
