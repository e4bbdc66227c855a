import { expect, test } from "vitest";
import { nameFor, packagedFilm, titleFor } from "./film.ts";
import { FilmShelf } from "./film-shelf.ts";

const film = (title: string, directory: string) => packagedFilm({ title, directory, durationSeconds: 4 }, []);

test.each([
  ["My holiday, 2024!", [], "my-holiday-2024"],
  ["Été", ["ete", "ete-2"], "ete-3"],
  ["映画", [], "film"],
  ["a".repeat(60), [], "a".repeat(40)],
])("%s among %j is named %s", (title, taken, name) => {
  expect(nameFor(title, taken)).toBe(name);
});

test("a title that another film has gets a number", () => {
  expect(titleFor("Dune", ["Sintel"])).toBe("Dune");
  expect(titleFor("Dune", ["Dune", "Dune (2)"])).toBe("Dune (3)");
});

test("a film that is added at run time never moves another one", () => {
  const remote = {
    ...film("Away", ""),
    directory: null,
    manifest: "https://films.example/a.mpd",
    isPackagedHere: false,
  };
  const shelf = new FilmShelf([remote], "/data/films");
  const before = shelf.mounts;
  shelf.add({ ...film("Added", "/data/films/film-1"), place: "dropped/film-1" });
  expect(shelf.root).toBeNull();
  expect(shelf.mounts).toEqual(before);
  expect(shelf.entries.map(({ isAdded }) => isAdded)).toEqual([false, true]);
  expect(shelf.entries.map(({ manifestUrl }) => manifestUrl)).toEqual([
    "https://films.example/a.mpd",
    "/media/dropped/film-1/manifest.mpd",
  ]);
});
