import { afterEach, expect, it, vi } from "vitest";
import { fetchMediaServer, fetchServerConfig, SERVER_AWAY, StalePage } from "./server-config.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

function answer(body: object): void {
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json(body)));
}

it("reads where the media server is from a server of the same version", async () => {
  answer({
    protocolVersion: 1,
    transport: { url: "https://127.0.0.1:4433", certificateHashes: ["aGFzaA=="] },
  });
  expect(await fetchMediaServer()).toEqual({
    serverUrl: "https://127.0.0.1:4433",
    certificateHashes: ["aGFzaA=="],
  });
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
