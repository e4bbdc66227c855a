import { expect, it } from "vitest";
import { trackNames } from "./tracks.ts";

it.each([
  [
    [{ language: "deu" }, { language: "ger" }],
    [
      ["de", "German"],
      ["de", "German 2"],
    ],
  ],
  [[{ language: "eng", title: "Commentary" }], [["en", "Commentary (English)"]]],
  [
    [{ title: "Director" }, {}],
    [
      [undefined, "Director"],
      [undefined, "Sound 2"],
    ],
  ],
  [
    [{ language: "und" }, { language: "not a language" }],
    [
      [undefined, "Sound 1"],
      [undefined, "Sound 2"],
    ],
  ],
  [
    [{ language: "pt-BR" }, { language: "qaa" }],
    [
      ["pt-BR", "Brazilian Portuguese"],
      ["qaa", "Sound 2"],
    ],
  ],
] as const)("%j are named %j", (tracks, names) => {
  const named = trackNames(
    tracks.map((track) => ({ language: undefined, title: undefined, ...track })),
    "Sound",
  );
  expect(named).toEqual(names.map(([language, label]) => ({ language, label })));
});
