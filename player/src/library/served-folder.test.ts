import { describe, expect, it, vi } from "vitest";
import type { MediaServerAddress, MediaServerSource } from "../options/media-server-address.ts";
import {
  attach,
  FakePlayer,
  FakeXhr,
  loadSegment,
  nextServer,
  prepareFake,
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

/** As a server of several processes says it, each time with another of them before all. */
const byWorker = (index: number): MediaServerAddress => {
  const workers = [stage.ownServer, secondWorker()];
  return { ...workers[index % 2], workers } as MediaServerAddress;
};

let second: MediaServerAddress | null = null;
const secondWorker = () => (second ??= nextServer());

const isFirst = (page: string) => page === "first";

it.each<[string, (page: string) => MediaServerSource]>([
  ["a document", (page) => `http://localhost:8080/of-one-film.json?${page}`],
  ["its path, and a URL object", (page) => (isFirst(page) ? "/path.json" : new URL("/path.json", SOURCE))],
  ["a list", () => ["/of-a-list.json"]],
  ["a list in another order", (page) => (isFirst(page) ? ["/1.json", "/2.json"] : ["/2.json", "/1.json"])],
  ["a list and one of it", (page) => (isFirst(page) ? ["/3.json", "/4.json"] : "/4.json")],
  ["a copy of the address", () => ({ ...stage.ownServer })],
  ["another worker of the same", (page) => byWorker(isFirst(page) ? 0 : 1)],
  ["its document, and a worker's address", (page) => (isFirst(page) ? "/a.json" : secondWorker())],
  ["its address, and the document that holds it", (page) => (isFirst(page) ? stage.ownServer : "/b.json")],
  [
    "another of its names, with the same certificate",
    (page) => ({ ...stage.ownServer, ...(isFirst(page) && { url: "https://one.example" }) }),
  ],
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
    second = null;
    let asked = 0;
    vi.stubGlobal("fetch", async () => new Response(JSON.stringify(byWorker(asked++))));
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

describe("of two servers", () => {
  const play = (film: string) => {
    stage.player.source = `http://localhost:8080/${film}/manifest.mpd`;
    stage.player.tell("manifestLoaded", { data: { url: stage.player.source } });
  };

  it.each<[string, (index: 1 | 2, server: MediaServerAddress) => MediaServerSource]>([
    ["documents that differ in their query", (index) => `/two.json?server=${index}`],
    ["functions", (_index, server) => async () => server],
  ])("each has a first film, named by %s", async (_name, of) => {
    const servers = [stage.ownServer, nextServer()] as const;
    vi.stubGlobal("fetch", async (url: string) => Response.json(servers[url.endsWith("1") ? 0 : 1]));
    await attach({ server: of(1, servers[0]) });
    play("film");
    stage.player = new FakePlayer();
    await attach({ server: of(2, servers[1]) });
    play("other");
    loadSegment("http://localhost:8080/other/a-1.m4s");
    await vi.waitFor(() => expect(stage.asked).toEqual(["a-1.m4s"]));
  });
});

it("asks the media server for nothing of another film, though its address comes after the film's first request", async () => {
  const sent = vi.fn();
  vi.stubGlobal(
    "XMLHttpRequest",
    class extends FakeXhr {
      override send = sent;
    },
  );
  stage.player.source = SOURCE;
  await attach();
  stage.player.tell("manifestLoaded", { data: { url: SOURCE } });
  stage.player = new FakePlayer();
  let answer = (_address: MediaServerAddress): void => undefined;
  const attachment = prepareFake({ server: () => new Promise((resolve) => (answer = resolve)) }).attach(
    stage.player.asPlayer(),
  );
  stage.attached.push(attachment);
  stage.player.source = "http://localhost:8080/other/manifest.mpd";
  stage.player.tell("manifestLoaded", { data: { url: stage.player.source } });
  loadSegment("http://localhost:8080/other/a-1.m4s");
  answer(stage.ownServer);
  await vi.waitFor(() => expect(sent).toHaveBeenCalledOnce());
  expect(stage.asked).toEqual([]);
});

it("knows a server after it began anew elsewhere, by the document that says so", async () => {
  vi.spyOn(console, "warn").mockReturnValue();
  vi.stubGlobal("XMLHttpRequest", FakeXhr);
  vi.stubGlobal("fetch", async () => Response.json(nextServer()));
  for (const film of ["film", "other"]) {
    const attachment = await attach({ server: "/anew.json" });
    stage.player.source = `http://localhost:8080/${film}/manifest.mpd`;
    stage.player.tell("manifestLoaded", { data: { url: stage.player.source } });
    loadSegment(`http://localhost:8080/${film}/${film}.m4s`);
    await vi.waitFor(() => expect(stage.asked).toEqual(["film.m4s"]));
    attachment.detach();
    stage.player = new FakePlayer();
  }
});

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
