import { afterEach, expect, it, vi } from "vitest";
import { openSamplePage } from "../testing/sample-page.ts";
import { filmLabel, offerFilms, withFilm } from "./film-menu.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

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

it("plays another film at the press of a button, and none that keys pass in the menu", () => {
  const window = openSamplePage("index.html");
  const address = { search: "?scheme=cubic" };
  vi.stubGlobal("location", address);
  const a = { ...film, durationSeconds: 60 };
  offerFilms({ films: [a, { ...a, name: "b" }], film: a }, new URLSearchParams());
  const menu = document.getElementById("film-choice") as HTMLSelectElement;
  const play = document.getElementById("film-play") as HTMLButtonElement;
  const pass = (name: string): void => {
    menu.value = name;
    menu.dispatchEvent(new window.Event("change") as unknown as Event);
  };
  expect(play.hidden).toBe(true);
  pass("b");
  expect([play.hidden, address.search]).toEqual([false, "?scheme=cubic"]);
  pass("a");
  expect(play.hidden).toBe(true);
  pass("b");
  play.click();
  expect(address.search).toBe("scheme=cubic&film=b");
});
