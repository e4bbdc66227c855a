import { expect, test } from "vitest";
import { olderOneLineSources, olderStanzaSources } from "./older-suite.ts";

const SUITES = ["bookworm", "stable"];

test("a stanza of the machine's own release is kept with the suite's name replaced", () => {
  const text = [
    "Types: deb deb-src",
    "# a comment",
    "URIs: http://mirror.example/debian",
    "Suites: bookworm bookworm-updates",
    "Components: main contrib",
    "Signed-By: /usr/share/keyrings/archive.gpg",
  ].join("\n");
  expect(olderStanzaSources(text, SUITES, "bullseye")).toBe(
    [
      "Types: deb",
      "URIs: http://mirror.example/debian",
      "Suites: bullseye",
      "Components: main",
      "Signed-By: /usr/share/keyrings/archive.gpg",
      "",
    ].join("\n"),
  );
});

test("stanzas of other suites, of sources only, or switched off are left out", () => {
  const other = "Types: deb\nURIs: http://x.example/\nSuites: bookworm-security\nComponents: main";
  const sourceOnly = "Types: deb-src\nURIs: http://x.example/\nSuites: bookworm\nComponents: main";
  const off = "Enabled: no\nTypes: deb\nURIs: http://x.example/\nSuites: bookworm\nComponents: main";
  expect(olderStanzaSources([other, sourceOnly, off].join("\n\n"), SUITES, "bullseye")).toBe("");
});

test("a key written inside the stanza keeps its continuation lines", () => {
  const text =
    "Types: deb\nURIs: http://x.example/\nSuites: stable\nSigned-By:\n -----BEGIN\n .\n abc\nComponents: main";
  expect(olderStanzaSources(text, SUITES, "bullseye")).toContain("Signed-By: \n -----BEGIN\n .\n abc\n");
});

test("one-line sources keep their options, and third parties' suites are left out", () => {
  const text = [
    "# deb http://no.example/debian bookworm main",
    "deb [signed-by=/k.gpg] http://mirror.example/debian bookworm main contrib",
    "deb-src http://mirror.example/debian bookworm main",
    "deb http://third.example/apt cloud-sdk-bookworm main",
    "deb http://mirror.example/debian bookworm-updates main",
  ].join("\n");
  expect(olderOneLineSources(text, SUITES, "bullseye")).toBe(
    "deb [signed-by=/k.gpg] http://mirror.example/debian bullseye main\n",
  );
});
