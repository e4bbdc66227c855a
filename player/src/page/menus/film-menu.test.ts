import { afterEach, expect, it, vi } from "vitest";
import type { FilmEntry } from "../../options/server-config.ts";
import { Notice } from "../dom/notice.ts";
import { openSamplePage } from "../testing/sample-page.ts";
import { FilmMenu, filmLabel, withFilm } from "./film-menu.ts";

const { said } = vi.hoisted(() => ({ said: vi.fn() }));
vi.mock("../controls/viewer-actions.ts", () => ({ say: said })); // its timer would outlive the page

afterEach(() => {
  vi.unstubAllGlobals();
});

const film = {
  name: "a",
  title: "A",
  manifestUrl: "/media/a/manifest.mpd",
  isElsewhere: false,
  isPrepared: false,
  isAdded: false,
};

it.each([
  [{ durationSeconds: 12.4 }, "A (12 s)"],
  [{ durationSeconds: 600 }, "A (10 min)"],
  [{ durationSeconds: null }, "A (live)"],
  [{ durationSeconds: null, title: "חופשה" }, "\u2068חופשה\u2069 (live)"],
  [{ durationSeconds: 89, isElsewhere: true }, "A (89 s, from its own server)"],
])("a film with %j is offered as %s", (about, label) => {
  expect(filmLabel({ ...film, ...about }, [{ ...film, ...about }])).toBe(label);
});

it("films of one title are told apart by their names", () => {
  const films = ["a", "a-2", "b"].map((name) => ({
    ...{ ...film, name, durationSeconds: 60 },
    title: name === "b" ? "B" : "A",
  }));
  expect(films.map((one) => filmLabel(one, films))).toEqual(["A (60 s, a)", "A (60 s, a-2)", "B (60 s)"]);
});

it("another film keeps the rest of the address", () => {
  expect(withFilm(new URLSearchParams("scheme=cubic&film=a"), "b")).toBe("scheme=cubic&film=b");
  expect(withFilm(new URLSearchParams("scheme=cubic&film=a"), null)).toBe("scheme=cubic");
});

const [A, B] = ["a", "b"].map((name) => ({
  ...{ ...film, name, title: name.toUpperCase(), durationSeconds: 60 },
  ...{ manifestUrl: `/media/${name}/manifest.mpd`, isAdded: name === "b" },
})) as [FilmEntry, FilmEntry];

let window: ReturnType<typeof openSamplePage>;
let address: { search: string };
const onRemoved = vi.fn();
const asked: string[] = [];
let served: readonly FilmEntry[];
const element = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;
const options = (): string[] =>
  [...element<HTMLSelectElement>("film-choice").options].map(({ value }) => value);
const choose = (name: string): void => {
  const menu = element<HTMLSelectElement>("film-choice");
  menu.value = name;
  menu.dispatchEvent(new window.Event("change") as unknown as Event);
};
const look = (): boolean => document.dispatchEvent(new window.Event("visibilitychange") as unknown as Event);

/**
 * @param films at the next look
 * @param first when the page opens
 */
function openMenu(
  takesFilms: boolean,
  films: readonly FilmEntry[] = [A, B],
  search = "?scheme=cubic",
  first: readonly [FilmEntry, ...FilmEntry[]] = [A, B],
): void {
  window = openSamplePage("index.html");
  address = { search };
  onRemoved.mockReset();
  vi.stubGlobal("location", address);
  vi.stubGlobal("setInterval", () => 0); // its looks would outlive the page
  vi.stubGlobal("fetch", (path: string, { method = "GET", signal }: RequestInit) => {
    asked.push(`${method} ${path}`);
    expect(signal, "may take for ever").toBeInstanceOf(AbortSignal);
    return Promise.resolve(Response.json({ films: served }));
  });
  asked.length = 0;
  served = films;
  const notice = new Notice(element("notice"));
  const config = { films: first, film: first[0], takesFilms };
  new FilmMenu({ config, query: new URLSearchParams(search), notice, onRemoved });
}

it("plays another film at the press of a button, and none that keys pass in the menu", () => {
  openMenu(false);
  const play = element<HTMLButtonElement>("film-play");
  expect(play.hidden).toBe(true);
  choose("b");
  expect([play.hidden, address.search]).toEqual([false, "?scheme=cubic"]);
  choose("a");
  expect(play.hidden).toBe(true);
  choose("b");
  play.click();
  expect(address.search).toBe("scheme=cubic&film=b");
});

it("has what others add, keeps what is chosen, and tells nothing of it", async () => {
  openMenu(false, [A, B, { ...B, name: "c", manifestUrl: "/media/c/manifest.mpd" }]);
  choose("b");
  look();
  await vi.waitFor(() => expect(options()).toEqual(["a", "b", "c"]));
  expect(element<HTMLSelectElement>("film-choice").value).toBe("b");
  expect(onRemoved).not.toHaveBeenCalled();
});

it("tells whoever watches a film that it was removed, once, and offers another one", async () => {
  openMenu(false, [A], "?film=b");
  look();
  await vi.waitFor(() => expect(onRemoved).toHaveBeenCalledWith(expect.stringMatching(/^B was removed /)));
  expect([options(), element("film-play").hidden, element("films").hidden]).toEqual([["a"], false, false]);
  served = [A, { ...B, manifestUrl: "/media/another/manifest.mpd" }];
  look();
  await vi.waitFor(() => expect(options()).toEqual(["a", "b"]));
  expect(onRemoved).toHaveBeenCalledOnce();
});

it("does not take a film for removed that has another address", async () => {
  const moved = { ...B, manifestUrl: "/media/manifest.mpd" };
  openMenu(false, [A, moved], "?film=b");
  look();
  await vi.waitFor(() =>
    expect(onRemoved).toHaveBeenCalledWith(expect.stringMatching(/^B is not where it /)),
  );
});

it("plays a film on whose encoding ends, and has another manifest then", async () => {
  const growing = { ...A, manifestUrl: "/media/a/playing.mpd" };
  openMenu(false, [A, B, { ...B, name: "c" }], "?scheme=cubic", [growing, B]);
  look();
  await vi.waitFor(() => expect(options()).toHaveLength(3));
  expect([onRemoved.mock.calls, element("film-play").hidden]).toEqual([[], true]);
});

it("removes what a viewer added, once that is confirmed, for whoever may", async () => {
  const remove = () => element<HTMLButtonElement>("film-remove");
  openMenu(false);
  choose("b");
  expect(remove().hidden, "who may not").toBe(true);
  openMenu(true);
  expect(remove().hidden, "not added").toBe(true);
  choose("b");
  expect(remove().hidden).toBe(false);
  vi.stubGlobal("confirm", () => false);
  remove().click();
  expect(asked).toEqual([]);
  vi.stubGlobal("confirm", () => true);
  remove().focus();
  remove().click();
  await vi.waitFor(() => expect(options()).toEqual(["a"]));
  expect(asked).toEqual(["DELETE /api/films/b"]);
  expect(said).toHaveBeenCalledWith("B is removed");
  expect(document.activeElement?.id).toBe("film-choice");
});

it("keeps a film removed of which a look still tells that was under way", async () => {
  openMenu(true);
  choose("b");
  vi.stubGlobal("confirm", () => true);
  let answer: (films: Response) => void = () => undefined;
  vi.stubGlobal("fetch", (_path: string, { method = "GET" }: RequestInit) =>
    method === "DELETE"
      ? Promise.resolve(Response.json({}))
      : new Promise<Response>((resolve) => {
          answer = resolve;
        }),
  );
  look();
  element("film-remove").click();
  await vi.waitFor(() => expect(options()).toEqual(["a"]));
  answer(Response.json({ films: [A, B] }));
  await new Promise(setImmediate);
  expect(options()).toEqual(["a"]);
});

it("goes to another film where the one that plays is removed here", async () => {
  openMenu(true, [A, B, { ...B, name: "c" }], "?scheme=cubic&film=b");
  look();
  await vi.waitFor(() => expect(options()).toHaveLength(3));
  vi.stubGlobal("confirm", () => true);
  element("film-remove").click();
  await vi.waitFor(() => expect(address.search).toBe("scheme=cubic"));
});
