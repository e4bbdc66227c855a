import { afterEach, describe, expect, it, vi } from "vitest";
import type { MediaServerSource } from "./media-server-address.ts";
import { askerOf } from "./server-source.ts";

const ADDRESS = { url: "https://127.0.0.1:4433", certificateHashes: ["aGFzaA=="] };
const ASKED = { serverUrl: ADDRESS.url, certificateHashes: ADDRESS.certificateHashes, isEmulated: false };
/** As a page without types may say it. */
const WITHOUT_HASHES = { url: ADDRESS.url } as typeof ADDRESS;

const { signal } = new AbortController();

function answer(body: unknown): void {
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json(body)));
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("the media server's address", () => {
  it.each<[string, MediaServerSource]>([
    ["itself", ADDRESS],
    ["from a function", () => Promise.resolve(ADDRESS)],
    ["from a document", "/nuwa.json"],
  ])("%s", async (_name, server) => {
    answer(ADDRESS);
    expect(await askerOf(server)(signal)).toEqual(ASKED);
  });

  it("is asked for no longer than somebody waits for it", async () => {
    const fetched = vi.fn(() => Promise.resolve(Response.json(ADDRESS)));
    vi.stubGlobal("fetch", fetched);
    await askerOf("/nuwa.json")(signal);
    expect(fetched).toHaveBeenCalledWith("/nuwa.json", { cache: "no-store", signal });
    const server = vi.fn(() => Promise.resolve(ADDRESS));
    await askerOf(server)(signal);
    expect(server).toHaveBeenCalledWith(signal);
  });

  it("may be that there is none now", async () => {
    answer(null);
    expect(await askerOf("/nuwa.json")(signal)).toBeNull();
    expect(await askerOf(() => Promise.resolve(null))(signal)).toBeNull();
  });

  it("is one of several workers, with all of them", async () => {
    const other = { url: "https://127.0.0.1:4434", certificateHashes: ["b3RoZXI="] };
    const workers = [ADDRESS, other].map(({ url: serverUrl, certificateHashes }) => ({
      serverUrl,
      certificateHashes,
    }));
    answer({
      ...ADDRESS,
      workers: [
        { ...ADDRESS, sessions: 2, latenessMs: 0 },
        { ...other, sessions: 1, latenessMs: 0 },
      ],
    });
    expect(await askerOf("/nuwa.json")(signal)).toEqual({ ...workers[1], isEmulated: false, workers });
    answer({ ...ADDRESS, workers: [ADDRESS, other] }); // somebody else has chosen
    expect(await askerOf("/nuwa.json")(signal)).toEqual({ ...ASKED, workers });
    const elsewhere = {
      ...ADDRESS,
      url: "https://film.example:4433",
      workers: [{ ...ADDRESS, sessions: 0 }],
    };
    expect(await askerOf(async () => elsewhere)(signal)).toEqual({ ...ASKED, serverUrl: elsewhere.url });
    answer({ ...ADDRESS, workers: [{ url: ADDRESS.url }] });
    await expect(askerOf("/nuwa.json")(signal)).rejects.toThrow(/^\/nuwa\.json is to be/);
  });

  it("is one of all machines that answer", async () => {
    const other = { url: "https://127.0.0.1:4434", certificateHashes: ["b3RoZXI="] };
    const documents = new Map([
      ["/a.json", ADDRESS],
      ["/b.json", other],
      ["/away.json", null],
    ]);
    vi.stubGlobal("fetch", async (url: string) => {
      if (!documents.has(url)) throw new TypeError(`${url} does not answer`);
      return Response.json(documents.get(url));
    });
    const ask = (...urls: string[]) => askerOf(urls)(signal);
    expect((await ask("/a.json", "/gone.json", "/b.json"))?.workers).toHaveLength(2);
    expect(await ask("/gone.json", "/away.json", "/a.json")).toEqual(ASKED);
    expect(await ask("/gone.json", "/away.json")).toBeNull();
    await expect(ask("/gone.json", "/lost.json")).rejects.toThrow("/gone.json does not answer");
  });

  it("without certificates is refused, wherever it comes from", async () => {
    answer(WITHOUT_HASHES);
    expect(() => askerOf(WITHOUT_HASHES)).toThrow(/^the media server's address is to be { "url"/);
    await expect(askerOf(() => Promise.resolve(WITHOUT_HASHES))(signal)).rejects.toThrow("is to be");
    await expect(askerOf("/nuwa.json")(signal)).rejects.toThrow(/^\/nuwa\.json is to be/);
  });
});
