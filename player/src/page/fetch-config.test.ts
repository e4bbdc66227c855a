import { afterEach, expect, it, vi } from "vitest";
import { fetchLane, fetchMediaServer, fetchServerConfig, SERVER_AWAY, StalePage } from "./fetch-config.ts";
import { SAMPLE_CONFIG } from "./testing/sample-config.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

function answer(body: object): void {
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json(body)));
}

const transport = {
  url: "https://127.0.0.1:4433",
  certificateHashes: ["aGFzaA=="],
  laneUrls: ["https://127.0.0.1:4433", "https://127.0.0.1:4434"],
  workers: [],
};

it("reads where the media server is from a server of the same version", async () => {
  answer({ protocolVersion: 1, transport, link: null });
  expect(await fetchMediaServer()).toEqual({
    serverUrl: "https://127.0.0.1:4433",
    certificateHashes: ["aGFzaA=="],
    sessionToken: null,
  });
});

it("gives each of two players a lane of the emulated link", async () => {
  answer({ protocolVersion: 1, transport, link: { name: "lte-like" } });
  expect(await fetchLane(1)).toEqual({
    url: "https://127.0.0.1:4434",
    certificateHashes: ["aGFzaA=="],
    isEmulated: true,
    workers: [],
  });
});

it("asks for no longer than somebody waits, and for the page itself without a limit", async () => {
  const fetched = vi.fn(() => Promise.resolve(Response.json(SAMPLE_CONFIG)));
  vi.stubGlobal("fetch", fetched);
  const { signal } = new AbortController();
  await fetchLane(0, signal);
  expect(fetched).toHaveBeenLastCalledWith("/api/config", { cache: "no-store", signal });
  expect(await fetchServerConfig()).toEqual(SAMPLE_CONFIG);
  expect(fetched).toHaveBeenLastCalledWith("/api/config", { cache: "no-store", signal: null });
});

it("knows a proxy's word that the server is away", async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response("<html>", { status: 502 })));
  await expect(fetchServerConfig()).rejects.toThrow(SERVER_AWAY);
});

it.each([429, 503])("tells its own server, which answers %i, from a proxy's word", async (status) => {
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ error: { reason: "too many" } }, { status })));
  await expect(fetchServerConfig()).rejects.toThrow(`The server answered ${status} to /api/config`);
});

it("knows that the media server is away", async () => {
  answer({ protocolVersion: 1, transport: null, link: null });
  expect(await fetchLane(0)).toBeNull();
  await expect(fetchMediaServer()).rejects.toThrow("The media server is not up");
});

it("asks for a reload when the server is of another version", async () => {
  answer({ protocolVersion: 2, transport: null });
  const stale = new StalePage(2);
  expect(stale.message).toBe(
    "The server speaks protocol version 2 and this page version 1: reload the page.",
  );
  await expect(fetchServerConfig()).rejects.toThrow(stale);
  await expect(fetchMediaServer()).rejects.toBeInstanceOf(StalePage);
});

it.each([
  ["<!doctype html>", "it is no JSON"],
  ["[]", "protocolVersion is to be a number"],
  ['{"protocolVersion":1,"transport":null,"link":null,"links":{}}', "links is to be a list"],
])("says of an answer %s that it is not this page's server's", async (body, problem) => {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(body)));
  await expect(fetchServerConfig()).rejects.toThrow(
    `/api/config is answered by another program than this page's server: ${problem}.`,
  );
});

it("asks of a newer server for no more than the media server's address once the film plays", async () => {
  answer({ protocolVersion: 1, transport, link: null });
  await expect(fetchServerConfig()).rejects.toThrow("links is to be a list");
  expect(await fetchLane(0)).not.toBeNull();
});

it("says that the server is away", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  await expect(fetchServerConfig()).rejects.toThrow(SERVER_AWAY);
});
