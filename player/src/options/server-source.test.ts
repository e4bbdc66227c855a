import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ServerAway } from "../session/server-address.ts";
import type { MediaServerSource } from "./media-server-address.ts";
import { askerOf } from "./server-source.ts";

const ADDRESS = {
  url: "https://127.0.0.1:4433",
  certificateHashes: ["q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA="],
};
const ASKED = { serverUrl: ADDRESS.url, certificateHashes: ADDRESS.certificateHashes, isEmulated: false };
/** As a page without types may say it. */
const WITHOUT_HASHES = { url: ADDRESS.url } as typeof ADDRESS;

const { signal } = new AbortController();

/** Which is no instance of this frame's class. */
function urlOfAnotherFrame(url: string): URL {
  const { href } = new URL(url);
  return { href, toString: () => href, toJSON: () => href, [Symbol.toStringTag]: "URL" } as unknown as URL;
}

/** As a browser has one whose connection ends too early. */
function responseCutShort(): Response {
  return new Response(new ReadableStream({ start: (body) => body.error(new TypeError("terminated")) }));
}

function answer(body: unknown): void {
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json(body)));
}

beforeEach(() => {
  vi.stubGlobal("document", { baseURI: "https://film.example/watch/" });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("the media server's address", () => {
  it.each<[string, MediaServerSource]>([
    ["itself", ADDRESS],
    ["from a function", () => Promise.resolve(ADDRESS)],
    ["from a document", "/nuwa.json"],
    ["from a document at a URL object", new URL("https://film.example/nuwa.json")],
    ["from such a list", [new URL("https://film.example/nuwa.json")]],
    ["from a document at a URL object of another frame", urlOfAnotherFrame("https://film.example/nuwa.json")],
  ])("%s", async (_name, server) => {
    answer(ADDRESS);
    expect(await askerOf(server)(signal)).toEqual(ASKED);
  });

  it("may have URL objects in it, also of another frame", async () => {
    const other = { ...ADDRESS, url: urlOfAnotherFrame("https://127.0.0.1:4434"), sessions: 1 };
    const address = { ...ADDRESS, url: new URL(ADDRESS.url) };
    const serverUrl = `${ADDRESS.url}/`;
    expect(await askerOf(address)(signal)).toEqual({ ...ASKED, serverUrl });
    expect(await askerOf(async () => address)(signal)).toEqual({ ...ASKED, serverUrl });
    const chosen = await askerOf({ ...address, workers: [{ ...address, sessions: 2 }, other] })(signal);
    expect(chosen?.workers?.map((worker) => worker.serverUrl)).toEqual([serverUrl, `${other.url}`]);
    const mixed = await askerOf({ ...address, workers: [{ ...ADDRESS, sessions: 2 }, other] })(signal);
    expect(mixed?.workers).toHaveLength(2);
    const plain = new URL("http://127.0.0.1:4433");
    expect(() => askerOf({ ...address, url: plain })).toThrow('"url":"http://127.0.0.1:4433/"');
  });

  it("is taken as it is when it is asked for", async () => {
    const address = { ...ADDRESS, sessionToken: "first" };
    const ask = askerOf(address);
    address.sessionToken = "second";
    expect(await ask(signal)).toEqual({ ...ASKED, sessionToken: "second" });
  });

  it("is refused where the list of its documents is empty, or holds what is no URL", () => {
    expect(() => askerOf([])).toThrow("server is an empty list");
    const list = ["/nuwa.json", undefined] as string[];
    expect(() => askerOf(list)).toThrow(
      "each of a list in server must be of type string or URL, not undefined.",
    );
  });

  it.each([
    ["http://[bad", "is no URL: http://[bad"],
    ["ftp://x", 'is no URL of an address document: "ftp://x"'],
    [new URL("ftp://x/"), 'is no URL of an address document: "ftp://x/"'],
    ["", 'is no URL of an address document: ""'],
  ])("is refused where its document's URL is %s", (url, told) => {
    expect(() => askerOf(url)).toThrow(new TypeError(`server ${told}`));
    expect(() => askerOf(["/nuwa.json", url])).toThrow(new TypeError(`each of a list in server ${told}`));
  });

  it.each(["http://127.0.0.1:80/nuwa.json", "blob:https://film.example/1", "data:,null"])(
    "may be in a document that browsers fetch: %s",
    (url) => {
      expect(() => askerOf(url)).not.toThrow();
    },
  );

  it("may be in a document of the page's own scheme, as an extension or an app has it", () => {
    vi.stubGlobal("document", { baseURI: "chrome-extension://abc/watch.html" });
    expect(() => askerOf("/nuwa.json")).not.toThrow();
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
    const other = {
      url: "https://127.0.0.1:4434",
      certificateHashes: ["b3RoZXIgb3RoZXIgb3RoZXIgb3RoZXIgb3RoZXIgaGE="],
    };
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

  it("is refused once its certificate has expired, by the clock that the browser holds against it", async () => {
    const expiring = { ...ADDRESS, certificateNotAfter: "2026-12-11T09:27:15Z" };
    const askAt = (time: string, server: MediaServerSource) =>
      askerOf(server, Math.random, () => Date.parse(time))(signal);
    expect(await askAt("2026-12-11T09:27:15Z", expiring)).toEqual(ASKED);
    for (const time of ["2026-12-11T09:27:16Z", "2026-12-11T09:27:18Z"]) {
      // The same each time: sessions tell of an outage once.
      await expect(askAt(time, expiring)).rejects.toThrow(
        "the certificate of https://127.0.0.1:4433 expired at 2026-12-11T09:27:15Z: its address is old, or this computer's clock " +
          "is wrong",
      );
    }
    const other = { ...ADDRESS, url: "https://127.0.0.1:4434", sessions: 9 };
    const workers = [{ ...expiring, sessions: 0 }, other];
    const answered = await askAt("2026-12-12T00:00:00Z", { ...expiring, workers });
    expect(answered).toMatchObject({ serverUrl: other.url, workers: [{ serverUrl: ADDRESS.url }, {}] });
  });

  it("is never too old where an issuer vouches for the certificate, which is renewed at the same address", async () => {
    const old = { url: ADDRESS.url, certificateHashes: [], certificateNotAfter: "2026-10-01T00:00:00Z" };
    const ask = askerOf(old, Math.random, () => Date.parse("2026-12-11T09:27:15Z"));
    expect(await ask(signal)).toEqual({ ...ASKED, certificateHashes: [] });
  });

  it("is one of all machines that answer", async () => {
    const other = {
      url: "https://127.0.0.1:4434",
      certificateHashes: ["b3RoZXIgb3RoZXIgb3RoZXIgb3RoZXIgb3RoZXIgaGE="],
    };
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

  it.each([
    ["without its scheme", { url: "film.example:4433" }, '"url":"film.example:4433"'],
    ["that is no URL", { url: "https://[bad" }, '"url":"https://[bad"'],
    ["over HTTP", { url: "http://film.example:4433" }, '"url":"http://film.example:4433"'],
    ["with an end that is no text", { certificateNotAfter: 5 }, '"certificateNotAfter":5'],
    ["with a hash of another length", { certificateHashes: ["aGFzaA=="] }, '["aGFzaA=="]'],
    ["with a hash in hexadecimal", { certificateHashes: ["ab".repeat(32)] }, "abababab"],
    ["as openssl prints a hash", { certificateHashes: [Array(32).fill("AB").join(":")] }, "AB:AB:AB"],
    ["with such a worker", { workers: [{ ...ADDRESS, url: "film.example" }] }, '"url":"film.example"'],
  ])("is refused where it is told, without its token: %s", (_name, wrong, told) => {
    const ask = () => askerOf({ ...ADDRESS, ...wrong, sessionToken: "secret" } as MediaServerSource);
    expect(ask).toThrow(told);
    expect(ask).not.toThrow("secret");
  });

  it("may have the line's end that tools print after a hash", async () => {
    const certificateHashes = ADDRESS.certificateHashes.map((hash) => `${hash}\n`);
    expect(await askerOf({ ...ADDRESS, certificateHashes })(signal)).toEqual({ ...ASKED, certificateHashes });
  });

  it.each([
    ["a page", "it is a web page", new Response(`\n<!doctype html>${"<p>".repeat(1000)}`)],
    ["404", "404", new Response("<p>Not found", { status: 404 })],
  ])(
    "is away where the web server answers %s, as it does for a file that is gone",
    async (_name, what, response) => {
      vi.stubGlobal("fetch", async () => response);
      await expect(askerOf("/nuwa.json")(signal)).rejects.toThrow(
        new ServerAway(
          `/nuwa.json has no address of a media server (${what}): does \`nuwa serve\` run, with this file as its --address-file?`,
        ),
      );
    },
  );

  it.each([
    [
      new Response("url: https://film.example"),
      /^\/nuwa\.json is to be .*, not "url: https:\/\/film\.example"$/,
    ],
    [
      new Response("<p>Bad gateway", { status: 502 }),
      /is to say where the media server is, but answers 502$/,
    ],
  ])("is no address where the document is none for another cause", async (response, told) => {
    vi.stubGlobal("fetch", async () => response);
    const asked = askerOf("/nuwa.json")(signal);
    await expect(asked).rejects.toThrow(told);
    await expect(asked).rejects.not.toBeInstanceOf(ServerAway);
  });

  it.each([
    ["in the midst of the text", () => new Response(JSON.stringify(ADDRESS).slice(0, 30))],
    ["before the length that was announced", responseCutShort],
  ])(
    "is asked for once more where its document breaks off, %s, as it is written anew",
    async (_name, broken) => {
      const answers = [broken, () => Response.json(ADDRESS)];
      vi.stubGlobal("fetch", async () => answers.shift()?.());
      expect(await askerOf("/nuwa.json")(signal)).toEqual(ASKED);
      vi.stubGlobal("fetch", async () => broken());
      await expect(askerOf("/nuwa.json")(signal)).rejects.toThrow(/\/nuwa\.json is to be|terminated/);
    },
  );

  it("names a document whose URL is an object, too", async () => {
    answer(WITHOUT_HASHES);
    const document = new URL("https://film.example/nuwa.json");
    await expect(askerOf(document)(signal)).rejects.toThrow(/^https:\/\/film\.example\/nuwa\.json is to be/);
  });

  it("names the document that cannot be fetched", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
    const sentence = "https://a.example/nuwa.json is to say where the media server is: Failed to fetch";
    await expect(askerOf("https://a.example/nuwa.json")(signal)).rejects.toThrow(sentence);
  });
});
