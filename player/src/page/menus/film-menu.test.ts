import { expect, it } from "vitest";
import { filmLabel, withFilm } from "./film-menu.ts";

const film = {
  name: "a",
  title: "A",
  manifestUrl: "/media/a/manifest.mpd",
  isElsewhere: false,
  isPrepared: false,
};

it.each([
  [{ durationSeconds: 12.4 }, "A (12 s)"],
  [{ durationSeconds: 600 }, "A (10 min)"],
  [{ durationSeconds: null }, "A (live)"],
  [{ durationSeconds: 89, isElsewhere: true }, "A (89 s, from its own server)"],
])("a film with %j is offered as %s", (about, label) => {
  expect(filmLabel({ ...film, ...about })).toBe(label);
});

it("another film keeps the rest of the address", () => {
  expect(withFilm(new URLSearchParams("scheme=cubic&film=a"), "b")).toBe("scheme=cubic&film=b");
});
