import { expect, it } from "vitest";
import { type Disposition, trackNames } from "./tracks.ts";

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
    tracks.map((track) => ({ language: undefined, title: undefined, dispositions: [], ...track })),
    "Sound",
  );
  expect(named).toEqual(names.map(([language, label]) => ({ language, label })));
});

it("tells forced captions and those for the hard of hearing apart, and which sound comes first", () => {
  const track = { language: "eng", title: undefined };
  const captions = (["forced", "hearing impaired"] as const).map((each) => ({
    ...track,
    dispositions: [each],
  }));
  expect(trackNames(captions, "Captions")).toEqual([
    { language: "en", label: "English (forced)", role: "forced-subtitle" },
    { language: "en", label: "English (for the hard of hearing)", role: "caption" },
  ]);
  const sound = [
    { ...track, title: "Director", dispositions: ["comment"] as const },
    { ...track, dispositions: ["default"] as const },
    { ...track, language: undefined, dispositions: ["default", "visual impaired"] as const },
  ];
  expect(trackNames(sound, "Sound")).toEqual([
    { language: "en", label: "Director (English, commentary)", role: "commentary" },
    { language: "en", label: "English", isDefault: true },
    { language: undefined, label: "Sound 3 (audio description)", role: "description" },
  ]);
  expect(trackNames(sound.slice(1, 2), "Sound")).toEqual([{ language: "en", label: "English" }]);
});

it("tells by the title for whom a track is, unless the title does", () => {
  const track = (title: string, ...dispositions: readonly Disposition[]) => ({
    language: "eng",
    title,
    dispositions,
  });
  const labels = trackNames(
    [
      track("English"),
      track("English", "hearing impaired"),
      track("English SDH", "hearing impaired"),
      track("Audio Description", "visual impaired"),
    ],
    "Captions",
  ).map(({ label }) => label);
  expect(labels).toEqual([
    "English (English)",
    "English (English, for the hard of hearing)",
    "English SDH (English)",
    "Audio Description (English)",
  ]);
});
