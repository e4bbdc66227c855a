import { expect, it, vi } from "vitest";
import type { MediaServerSource } from "../options/media-server-address.ts";
import {
  attach,
  FakePlayer,
  FakeXhr,
  loadSegment,
  prepareFake,
  SERVER,
  SOURCE,
  setStage,
  stage,
} from "./testing/sample-attachment.ts";

setStage();

it.each([
  ["absolute, without the last slash", "http://localhost:8080/film"],
  ["of the page", "/film/"],
])("asks the media server for what is below a base URL: %s", async (_name, baseUrl) => {
  await attach({ baseUrl });
  loadSegment("http://localhost:8080/film/a-1.m4s");
  await vi.waitFor(() => expect(stage.asked).toEqual(["a-1.m4s"]));
});

it("asks the media server for what is below the directory that the manifest came from, after redirects", async () => {
  stage.player.source = "http://localhost:8080/film.mpd";
  await attach();
  stage.player.tell("manifestLoaded", { data: { url: "http://cdn/film/7/manifest.mpd" } });
  loadSegment("http://cdn/film/7/a-1.m4s");
  await vi.waitFor(() => expect(stage.asked).toEqual(["a-1.m4s"]));
});

it("takes a film that plays without a media server for none of a media server's", async () => {
  const play = (film: string) => {
    stage.player.source = `http://localhost:8080/${film}/manifest.mpd`;
    stage.player.tell("manifestLoaded", { data: { url: stage.player.source } });
  };
  stage.attached.push(prepareFake({ server: null }).attach(stage.player.asPlayer()));
  play("without");
  stage.player = new FakePlayer();
  await attach({ server: async () => stage.ownServer });
  play("film");
  loadSegment("http://localhost:8080/film/a-1.m4s");
  await vi.waitFor(() => expect(stage.asked).toEqual(["a-1.m4s"]));
});

it.each<[string, (page: string) => MediaServerSource]>([
  ["a document", (page) => `http://localhost:8080/of-one-film.json?${page}`],
  ["its path, and a URL object", (page) => (page === "first" ? "/path.json" : new URL("/path.json", SOURCE))],
  ["a list", () => ["/of-a-list.json"]],
  ["a copy of the address", () => ({ ...stage.ownServer })],
  ["a function of each component", () => async () => stage.ownServer],
])(
  "asks the media server for nothing of another film, named by %s: segments may have one name",
  async (_name, of) => {
    const warned = vi.spyOn(console, "warn").mockReturnValue();
    vi.stubGlobal("XMLHttpRequest", FakeXhr);
    const play = (film: string) => {
      stage.player.source = `http://localhost:8080/${film}/manifest.mpd`;
      stage.player.tell("manifestLoaded", { data: { url: stage.player.source } });
      loadSegment(`http://localhost:8080/${film}/a-1.m4s`);
    };
    vi.stubGlobal("fetch", async () => new Response(JSON.stringify(SERVER)));
    const first = await attach({ server: of("first") });
    play("film");
    await vi.waitFor(() => expect(stage.asked).toEqual(["a-1.m4s"]));
    play("other");
    first.detach();
    stage.player = new FakePlayer();
    await attach({ server: of("second") });
    play("other");
    const sentence =
      "http://localhost:8080/other/a-1.m4s is fetched over HTTP, since the media server lacks it: it has what is below " +
      "http://localhost:8080/film/, where its first film is, unless baseUrl says another";
    expect(warned.mock.calls).toEqual([[sentence], [sentence]]); // of each player
    play("film");
    await vi.waitFor(() => expect(stage.asked).toEqual(["a-1.m4s", "a-1.m4s"]));
  },
);

it("follows the manifest of one film, which redirects may bring from another machine each time", async () => {
  stage.player.source = "http://localhost:8080/film.mpd";
  await attach();
  for (const machine of ["cdn-1", "cdn-2"]) {
    stage.player.tell("manifestLoaded", { data: { url: `http://${machine}/film/manifest.mpd` } });
    loadSegment(`http://${machine}/film/${machine}.m4s`);
  }
  await vi.waitFor(() => expect(stage.asked).toEqual(["cdn-1.m4s", "cdn-2.m4s"]));
});

it("asks for baseUrl where a manifest is the page's own, though another film had a URL", async () => {
  stage.player.source = "http://localhost:8080/film.mpd";
  await attach();
  stage.player.tell("manifestLoaded", { data: { url: stage.player.source } });
  stage.player.source = { Period: [] };
  stage.player.tell("manifestLoaded", { data: stage.player.source });
  expect(() => loadSegment("http://localhost:8080/a-1.m4s")).toThrow(/say in baseUrl/);
  expect(stage.asked).toEqual([]);
});

it("warns once of segments that lie outside, which come over HTTP", async () => {
  const warned = vi.spyOn(console, "warn").mockReturnValue();
  vi.stubGlobal("XMLHttpRequest", FakeXhr);
  await attach({ baseUrl: "/films/" });
  for (const name of ["a-1.m4s", "a-2.m4s"]) loadSegment(`http://localhost:8080/film/${name}`);
  expect(warned.mock.calls).toEqual([
    [
      "http://localhost:8080/film/a-1.m4s is fetched over HTTP, since the media server lacks it: it has what is below baseUrl http://localhost:8080/films/",
    ],
  ]);
});
