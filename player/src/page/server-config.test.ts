import { afterEach, expect, it, vi } from "vitest";
import { fetchLane, fetchMediaServer, fetchServerConfig, SERVER_AWAY, StalePage } from "./server-config.ts";

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
  const fetched = vi.fn(() => Promise.resolve(Response.json({ protocolVersion: 1, transport, link: null })));
  vi.stubGlobal("fetch", fetched);
  const { signal } = new AbortController();
  await fetchLane(0, signal);
  expect(fetched).toHaveBeenLastCalledWith("/api/config", { cache: "no-store", signal });
  await fetchServerConfig();
  expect(fetched).toHaveBeenLastCalledWith("/api/config", { cache: "no-store", signal: null });
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

it("says that the server is away", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  await expect(fetchServerConfig()).rejects.toThrow(SERVER_AWAY);
});
