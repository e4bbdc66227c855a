import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Problem } from "../problem.mjs";
import { temporaryFolder } from "../sample-app.ts";
import { folderFilm } from "./folder-film.ts";
import { mpd, SEGMENTED } from "./sample-manifest.ts";

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = join(temporaryFolder(), "My holiday");
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

test("a packaged folder is the film of its manifest, by the folder's name", () => {
  const folder = folderWith({ "manifest.mpd": mpd(SEGMENTED), "other.mpd": "", "seg-1.m4s": "" });
  expect(folderFilm(folder, ["my-holiday"])).toEqual({
    name: "my-holiday-2",
    title: "My holiday",
    durationSeconds: 64.5,
    manifest: "manifest.mpd",
    directory: folder,
    isPackagedHere: false,
    otherOrigins: [],
  });
});

test("the only manifest will do under any name, and a manifest that is given is the film", () => {
  const folder = folderWith({ "city.mpd": mpd(SEGMENTED) });
  expect(folderFilm(folder, [])).toMatchObject({ title: "city", manifest: "city.mpd", directory: folder });
  expect(folderFilm(join(folder, "city.mpd"), [])).toEqual(folderFilm(folder, []));
});

test("segments on another server are fetched there", () => {
  const folder = folderWith({ "a.mpd": mpd(`<BaseURL>https://cdn.example/a/</BaseURL>${SEGMENTED}`) });
  expect(folderFilm(folder, [], true).otherOrigins).toEqual(["https://cdn.example"]);
});

test("one whose segments come over HTTP is refused to pages over HTTPS", () => {
  const folder = folderWith({ "a.mpd": mpd(`<BaseURL>http://cdn.example/a/</BaseURL>${SEGMENTED}`) });
  expect(() => folderFilm(folder, [], true)).toThrow(
    `the film ${folder} comes from http://cdn.example, and browsers refuse HTTP to a page over HTTPS: `,
  );
  expect(folderFilm(folder, []).otherOrigins).toEqual(["http://cdn.example"]);
});

const bases = (count: number) =>
  Array.from({ length: count }, (_, place) => `<BaseURL>http://cdn${place}.example/</BaseURL>`).join("");

test("segments may lie on some other servers, and not on any number", () => {
  const film = (count: number) => folderFilm(folderWith({ "a.mpd": mpd(bases(count) + SEGMENTED) }), []);
  expect(film(32).otherOrigins).toHaveLength(32);
  expect(() => film(33)).toThrow("a.mpd names 33 other servers: give one that names 32 at most");
});

test.each([
  [{}, "has no manifest (.mpd): it has nothing; "],
  [{ "a.mp4": "", "b.txt": "" }, "has no manifest (.mpd): it has a.mp4, b.txt; "],
  [{ "a.mpd": "", "b.mpd": "" }, "has several manifests, a.mpd, b.mpd: give the one to play"],
  [{ "a.mpd": "<html>" }, 'a.mpd is no MPD, since it begins with "<html>": '],
  [{ "a.mpd": mpd('<AdaptationSet contentType="audio"/>') }, "a.mpd names no video: "],
  [{ "a.mpd": mpd(`<BaseURL>../</BaseURL>${SEGMENTED}`) }, "a.mpd names ../, outside its folder: "],
  [{ "a.mpd": mpd(SEGMENTED).slice(0, -9) }, "a.mpd breaks off at line 1: copy or fetch the whole manifest"],
  [{ "a.mpd": mpd(SEGMENTED.replace(".m4s", ".seg")) }, "a.mpd names seg-$Number$.seg, which has no ending "],
  [{ "a.mpd": mpd(SEGMENTED.replace("<Rep", "<ContentProtection/><Rep")) }, "names encrypted video "],
])("a folder with %j is refused in one sentence", (files, sentence) => {
  const folder = folderWith(files);
  expect(() => folderFilm(folder, [])).toThrow(Problem);
  expect(() => folderFilm(folder, [])).toThrow(sentence);
});

test("a manifest that is a link is refused, since it would not be served, and so is what cannot be read", () => {
  const linked = folderWith({ "city.mpd": mpd(SEGMENTED) });
  symlinkSync("city.mpd", join(linked, "manifest.mpd"));
  const sentence = `the manifest ${join(linked, "manifest.mpd")} is a link, which no server of ours follows: give `;
  for (const path of [linked, join(linked, "manifest.mpd")])
    expect(() => folderFilm(path, [])).toThrow(new RegExp(sentence));
  expect(folderFilm(join(linked, "city.mpd"), [])).toMatchObject({ manifest: "city.mpd" });
  const odd = folderWith({});
  mkdirSync(join(odd, "manifest.mpd"));
  expect(() => folderFilm(odd, [])).toThrow(Problem);
  expect(() => folderFilm(odd, [])).toThrow("manifest.mpd cannot be read (EISDIR): ");
});
